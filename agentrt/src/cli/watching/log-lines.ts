import type { System, TimerHandle } from "../../core/index.ts";
import type { Style } from "../command.ts";
import { objectOf, type WireObject } from "./control-reader.ts";
import { pairsText, textIn } from "./shown.ts";

/** For those who follow: how long repeats are counted before they are printed, in milliseconds. */
const foldTimeoutMs = 2000;
/** Causes of an error that are shown. */
const causeCountMax = 8;
/** Other agents that are named where the same line came from several keys or members. */
const namedCountMax = 5;

/** Where lines go. */
export interface LogLinesOptions {
  readonly print: (text: string) => void;
  readonly style: Style;
  /** For those who follow: repeats are printed after a while, too, and not only when another line comes. Default never. */
  readonly system?: Pick<System, "setTimer" | "clearTimer">;
}

/** Lines that are not shown, because they say what the one before them says. */
interface Folded {
  readonly key: string;
  readonly agent: string;
  readonly others: Set<string>;
  count: number;
  lastTime: string;
  timer: TimerHandle | undefined;
}

/**
 * Prints lines of a log for people: the causes of an error below it, one a line, and of lines that say the same one after the other only
 * the first. Keys of a keyed agent and members of a pool count as one agent for that.
 */
export class LogLines {
  readonly #options: LogLinesOptions;
  #last: Folded | undefined;

  constructor(options: LogLinesOptions) {
    this.#options = options;
  }

  /**
   * Prints a line, or counts it.
   *
   * @param line As `/logs` gives it.
   */
  add(line: WireObject): void {
    const { print, style, system } = this.#options;
    const agent = textIn(line["agent"]);
    const time = textIn(line["time"]);
    const key = keyOf(line, agent);
    const last = this.#last;
    if (last?.key !== key) {
      this.flush();
      this.#last = { key, agent, others: new Set(), count: 0, lastTime: time, timer: undefined };
      print(lineText(line, style));
      return;
    }
    last.count += 1;
    last.lastTime = time;
    if (agent !== last.agent) last.others.add(agent);
    last.timer ??= system?.setTimer(foldTimeoutMs, () => this.flush());
  }

  /** Tells of what was counted. */
  flush(): void {
    const last = this.#last;
    if (last === undefined || last.count === 0) return;
    const { print, style, system } = this.#options;
    if (last.timer !== undefined) system?.clearTimer(last.timer);
    const { count, lastTime, others } = last;
    const times = count === 1 ? "once more, at" : `${count} times more, the last at`;
    const more = others.size > namedCountMax ? ` and ${others.size - namedCountMax} others` : "";
    const names = [...others].slice(0, namedCountMax).join(", ");
    const from = others.size === 0 ? "" : `, also by ${names}${more}`;
    print(`    ${style.grey(`repeated ${times} ${lastTime}${from}`)}\n`);
    this.#last = { ...last, others: new Set(), count: 0, timer: undefined };
  }
}

/** What two lines have in common that say the same: all but when, in which trace, and which key or member. */
function keyOf(line: WireObject, agent: string): string {
  const { time: _, traceId: __, spanId: ___, agent: ____, ...said } = line;
  return JSON.stringify([agent.split("/", 1)[0], said]);
}

function lineText(line: WireObject, style: Style): string {
  const { time, level, agent, message, error, traceId: _, spanId: __, ...rest } = line;
  const failure = objectOf(error);
  const shown = failure["name"] === undefined ? rest : { ...rest, ...failureFields(failure) };
  const severity = textIn(level).padEnd(5);
  const colour = { error: style.red, warn: style.yellow }[textIn(level)] ?? String;
  const head = [textIn(time), colour(severity), textIn(agent) || "-"].join(" ");
  const first = `${head}  ${textIn(message)}  ${pairsText(shown)}`.trimEnd();
  return [first, ...causeLines(failure)].map((text) => `${text}\n`).join("");
}

function failureFields(failure: WireObject): WireObject {
  return { error: failureText(failure), at: failure["at"] };
}

function causeLines(failure: WireObject): string[] {
  const lines: string[] = [];
  let cause = objectOf(failure["cause"]);
  while (cause["name"] !== undefined && lines.length < causeCountMax) {
    lines.push(`    because of ${failureText(cause)}`);
    cause = objectOf(cause["cause"]);
  }
  return lines;
}

function failureText({ name, message }: WireObject): string {
  return `${textIn(name)}: ${textIn(message)}`;
}
