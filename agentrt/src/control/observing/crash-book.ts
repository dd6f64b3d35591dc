import {
  agentErrors,
  type CrashRecord,
  type JsonObject,
  type MessageDigest,
  type RecordedCrash,
  type Redactor,
  RingBuffer,
  type ShownCrash,
} from "../../core/index.ts";
import { type CrashElsewhere, crashElsewhere } from "../../runtime/index.ts";
import { causeBody, causeCountMax, causeOf, errorBody, type ErrorTexts } from "./error-body.ts";
import { messageBody } from "./message-body.ts";
import type { CauseBody, CrashBody, CrashSummaryBody } from "../wire-history.ts";

/** Crashes that are kept; beyond it the oldest goes. */
export const crashCountMax = 200;

/** What is shown of a cause whose secrets are not known. */
const hidden = "not shown";

/** One crash. */
interface Crash {
  readonly id: string;
  /** False for one of another process. */
  readonly isOwn: boolean;
  readonly agent: string;
  readonly atMs: number;
  readonly error: unknown;
  readonly message: MessageDigest | null;
  /** Its texts without the secrets that the agent had at hand; undefined where nothing has looked for them. */
  readonly shown: ShownCrash | undefined;
}

/** What an event says of a crash. */
export interface CrashNote {
  readonly agent: string;
  readonly atMs: number;
  readonly error: unknown;
  readonly message: MessageDigest | null;
  /** As it is recorded; undefined where it is not. */
  readonly record?: RecordedCrash | undefined;
  /** Its texts without the secrets that the agent had at hand; undefined where nothing has looked for them. */
  readonly shown?: ShownCrash | undefined;
}

/** The latest crashes of a tree, each under an id. */
export class CrashBook {
  readonly #epoch: string;
  readonly #texts: ErrorTexts;
  /** What is shown of errors that agents crashed with, and of their causes: others have them as causes. */
  readonly #shown = new WeakMap<object, string>();
  readonly #crashes = new RingBuffer<Crash>();
  /** The last crash of each agent that has one among those that are kept. */
  readonly #lastOf = new Map<string, Crash>();
  #count = 0;

  /**
   * @param epoch Begins every id, so that those of another run, or of another process, are told apart.
   * @param redactor Takes secrets out of messages and stacks.
   */
  constructor(epoch: string, redactor: Redactor) {
    this.#epoch = epoch;
    const shownOf = (error: unknown): string | undefined =>
      isObject(error) ? this.#shown.get(error) : undefined;
    this.#texts = { redactor, shownOf };
  }

  /**
   * Takes note of a crash.
   *
   * @returns Its id; undefined for a restart that somebody asked for, which is not a crash.
   */
  add(note: CrashNote): string | undefined {
    if (note.error instanceof agentErrors.RESTART_REQUESTED) return undefined;
    this.#count += 1;
    const { record, ...said } = note;
    const { id: idElsewhere = "", shown = note.shown } = crashElsewhere(note.error) ?? {};
    const isOwn = idElsewhere === "";
    const id = isOwn ? (record?.id ?? `${this.#epoch}-c${this.#count}`) : idElsewhere;
    const crash = { ...said, id, isOwn, shown };
    if (shown !== undefined) this.#noteShown(note.error, shown);
    if (this.#crashes.length >= crashCountMax) {
      const oldest = this.#crashes.shift();
      if (oldest !== undefined && this.#lastOf.get(oldest.agent) === oldest)
        this.#lastOf.delete(oldest.agent);
    }
    this.#crashes.push(crash);
    this.#lastOf.set(note.agent, crash);
    return crash.id;
  }

  /**
   * Finds the crash that a supervisor tells of: its child told of the same error before, or it is a supervisor.
   *
   * @returns Its id, as `add`, and whether it is a new one.
   */
  idOf(note: Omit<CrashNote, "message">): {
    readonly id: string | undefined;
    readonly isNew: boolean;
  } {
    const last = this.#lastOf.get(note.agent);
    if (last !== undefined && Object.is(last.error, note.error))
      return { id: last.id, isNew: false };
    return { id: this.add({ ...note, message: null }), isNew: true };
  }

  /** @returns Code, place and message of an error; of the last crash of an agent as it is recorded. */
  causeOf(agent: string, error: unknown): CauseBody {
    const cause = causeBody(error, this.#texts);
    const shown = this.#lastBy(agent, error)?.shown;
    return shown === undefined ? cause : { ...cause, message: shown.message };
  }

  /** @returns The last crash of an agent, where it was by this error, with its texts as another process may have them. */
  findLast(agent: string, error: unknown): CrashElsewhere | undefined {
    const last = this.#lastBy(agent, error);
    if (last === undefined) return undefined;
    if (last.shown !== undefined) return last;
    const { message, causes } = errorBody(error, this.#texts);
    return { id: last.id, shown: { message, causes: causes.map((each) => each.message) } };
  }

  /** @returns True for the id of a crash that happened in this process. */
  isOwn(id: string): boolean {
    if (id.startsWith(`${this.#epoch}-`)) return true;
    for (const crash of this.#crashes) if (crash.id === id) return crash.isOwn;
    return false;
  }

  /**
   * Lists the crashes that are kept, and those that are recorded.
   *
   * @param recorded Those of earlier runs are among them. Of one of another process it has more than what came over.
   * @returns The latest {@link crashCountMax}, oldest first.
   */
  list(recorded: readonly RecordedCrash[]): CrashSummaryBody[] {
    const byId = new Map<string, CrashSummaryBody>(recorded.map((each) => [each.id, each]));
    for (const crash of this.#crashes)
      if (crash.isOwn || !byId.has(crash.id)) byId.set(crash.id, this.#summaryOf(crash));
    return [...byId.values()]
      .toSorted((one, other) => one.timestamp - other.timestamp)
      .slice(-crashCountMax);
  }

  /** @returns The last crash of an agent, if it is kept. */
  lastOf(agent: string): CrashSummaryBody | undefined {
    const crash = this.#lastOf.get(agent);
    return crash === undefined ? undefined : this.#summaryOf(crash);
  }

  /**
   * Finds a crash.
   *
   * @param id Of the crash.
   * @param record What was recorded of it: all that is known of a crash of an earlier run.
   * @returns All that is known of it; undefined for nothing.
   */
  find(id: string, record: CrashRecord | undefined): CrashBody | undefined {
    for (const crash of this.#crashes) {
      if (crash.id !== id) continue;
      const { agent, atMs, error, message } = crash;
      const body = errorBody(error, this.#texts);
      const shown = record?.error;
      const causes = body.causes.map((cause, index) => ({
        ...cause,
        message: shown?.causes[index]?.message ?? cause.message,
      }));
      return {
        id,
        agent,
        timestamp: atMs / 1000,
        error: { ...body, message: shown?.message ?? crash.shown?.message ?? body.message, causes },
        message_at_hand: message === null ? null : messageBody(message),
        trace_id: message?.traceId ?? null,
        record: (record as object as JsonObject | undefined) ?? null,
      };
    }
    return record === undefined ? undefined : bodyOfRecord(record);
  }

  #lastBy(agent: string, error: unknown): Crash | undefined {
    const last = this.#lastOf.get(agent);
    return last !== undefined && Object.is(last.error, error) ? last : undefined;
  }

  #summaryOf({ id, agent, atMs, error, shown }: Crash): CrashSummaryBody {
    const { code, name, message, at } = causeBody(error, this.#texts);
    const timestamp = atMs / 1000;
    return { id, agent, timestamp, reason: code ?? name, message: shown?.message ?? message, at };
  }

  /** An error that came over, or is cut short, may have more causes than are shown: nothing is known of their secrets. */
  #noteShown(error: unknown, { message, causes }: ShownCrash): void {
    const texts = [message, ...causes];
    const seen = new Set<unknown>();
    for (let at = error; isObject(at) && !seen.has(at); at = causeOf(at)) {
      if (seen.size > causeCountMax) return;
      // Who crashed with it first knows its secrets.
      if (!this.#shown.has(at)) this.#shown.set(at, texts[seen.size] ?? hidden);
      seen.add(at);
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function bodyOfRecord(record: CrashRecord): CrashBody {
  const { id, agent, timestamp, error, message } = record;
  const { name, code, message: text, at, causes, stack } = error;
  return {
    id,
    agent,
    timestamp,
    error: {
      name,
      code,
      message: text,
      at,
      causes: causes.map((cause) => ({ ...cause, at: null })),
      stack,
    },
    message_at_hand:
      message === null
        ? null
        : {
            id: message.id,
            type: message.type,
            sender: message.sender,
            priority: message.priority,
            timestamp: message.timestamp,
            trace_id: message.trace_id,
          },
    trace_id: message?.trace_id ?? null,
    record: record as object as JsonObject,
  };
}
