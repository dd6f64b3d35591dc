import {
  createJsonLog,
  type JsonObject,
  type Log,
  type LogFields,
  type LogLevel,
  type Redactor,
  type System,
} from "../../core/index.ts";
import { Feed } from "./feed.ts";

/** Lines of one agent that are kept. */
export const logLineCountMax = 1000;
/** Characters of one line; of a longer one only level and message are kept. */
const lineLengthMax = 4096;
const messageLengthMax = 1000;
/** Characters of the lines of one agent, and of all together: those of the agent that is silent longest go first. */
const agentLengthMax = 1_048_576;
const totalLengthMax = 16_777_216;
/** Lines that are kept for those who follow. */
const followedCountMax = 2000;
const followerCountMax = 500;
const quietMs = 15_000;

/** A line that an agent, or the runtime, has logged. */
export interface LogLine {
  /** Empty for lines of the runtime that are about no agent. */
  readonly agent: string;
  /** One JSON object: `time`, `level`, `message` and the fields. */
  readonly text: string;
  /** The number of the line in the feed. */
  readonly number: number;
}

interface AgentLines {
  readonly lines: LogLine[];
  lengthSum: number;
}

/** The latest lines of the log, by agent. */
export class LogBook {
  /** Those who follow get lines from here. */
  readonly feed: Feed<LogLine>;
  /** The longest silent first. */
  readonly #agents = new Map<string, AgentLines>();
  readonly #writer: Log;
  #lengthSum = 0;
  #agent = "";

  /**
   * @param system Clock and timers.
   * @param redactor Takes secrets out of the lines.
   */
  constructor(system: System, redactor: Redactor) {
    this.feed = new Feed({ system, lengthMax: followedCountMax, followerCountMax, quietMs });
    this.#writer = createJsonLog({
      level: "debug",
      redactor,
      nowMs: () => system.nowMs(),
      write: (text) => this.#keep(text.trimEnd()),
    });
  }

  /**
   * Makes a log that writes to another one, and whose lines are kept here, too: those of levels that the other writes.
   *
   * @param log Where lines go as before.
   */
  recorded(log: Log): Log {
    return new RecordedLog(log, {}, (level, message, fields) => this.#add(level, message, fields));
  }

  /** @returns The latest lines of an agent, or of all, oldest first. */
  last(agent: string | undefined, countMax: number): LogLine[] {
    if (agent !== undefined) return [...(this.#agents.get(agent)?.lines ?? [])].slice(-countMax);
    const all = [...this.#agents.values()].flatMap(({ lines }) => lines.slice(-countMax));
    return all.sort((a, b) => a.number - b.number).slice(-countMax);
  }

  #add(level: LogLevel, message: string, fields: LogFields): void {
    const { agent } = fields;
    this.#agent = typeof agent === "string" ? agent : "";
    this.#writer[level](message, fields);
  }

  #keep(written: string): void {
    const text = written.length > lineLengthMax ? shortened(written) : written;
    const agent = this.#agent;
    const line = { agent, text, number: this.feed.lastNumber + 1 };
    const kept = this.#agents.get(agent) ?? { lines: [], lengthSum: 0 };
    this.#agents.delete(agent);
    this.#agents.set(agent, kept);
    kept.lines.push(line);
    this.#count(kept, text.length);
    while (kept.lines.length > logLineCountMax || kept.lengthSum > agentLengthMax) {
      this.#count(kept, -(kept.lines.shift()?.text.length ?? 0));
    }
    while (this.#lengthSum > totalLengthMax) this.#forgetOne();
    this.feed.publish(line);
  }

  #count(kept: AgentLines, length: number): void {
    kept.lengthSum += length;
    this.#lengthSum += length;
  }

  #forgetOne(): void {
    for (const [agent, { lengthSum }] of this.#agents) {
      this.#agents.delete(agent);
      this.#lengthSum -= lengthSum;
      return;
    }
  }
}

/** A line that is too long, without its fields. */
function shortened(text: string): string {
  const { time, level, message } = JSON.parse(text) as { readonly [name: string]: string };
  return JSON.stringify({ time, level, message: message?.slice(0, messageLengthMax), cut: true });
}

/** @returns A line as it is shown. */
export function lineBody({ agent, text }: LogLine): JsonObject {
  return { agent, ...(JSON.parse(text) as JsonObject) };
}

type Record = (level: LogLevel, message: string, fields: LogFields) => void;

/** Writes to another log, and keeps what that writes. */
class RecordedLog implements Log {
  readonly #log: Log;
  readonly #fields: LogFields;
  readonly #record: Record;

  constructor(log: Log, fields: LogFields, record: Record) {
    this.#log = log;
    this.#fields = fields;
    this.#record = record;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write("error", message, fields);
  }

  with(fields: LogFields): Log {
    return new RecordedLog(this.#log.with(fields), { ...this.#fields, ...fields }, this.#record);
  }

  isEnabled(level: LogLevel): boolean {
    return this.#log.isEnabled?.(level) ?? true;
  }

  #write(level: LogLevel, message: string, fields: LogFields | undefined): void {
    this.#log[level](message, fields);
    if (this.isEnabled(level)) this.#record(level, message, { ...this.#fields, ...fields });
  }
}
