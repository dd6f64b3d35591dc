import { createRealSystem } from "../../core/index.ts";
import type { CommandIo } from "../command.ts";
import { type ControlReader, objectOf, objectsOf, type WireObject } from "./control-reader.ts";
import { awaitedText } from "./overview.ts";
import { ageText, durationText, numberIn, textIn } from "./shown.ts";

/** Between two questions. */
const pollMs = 250;
/** After so long a word says what is waited for. */
const quietMs = 1000;
/** A word comes at least so often. */
const wordMs = 10_000;

/** A restart that was asked for. */
export interface AskedRestart {
  readonly agent: string;
  /** Of the routes of the agent. */
  readonly path: string;
  /** What `GET /agents/{name}` said before it was asked for. */
  readonly before: WireObject;
  /** How long its end is waited for. */
  readonly timeoutMs: number;
}

/**
 * Waits until an agent has begun again. After a second it says on standard error what the restart waits for: the message at
 * hand, and what that waits for.
 *
 * @param reader Asks the control plane.
 * @param asked The restart.
 * @param io Where the words go.
 * @returns True when it has begun again; false when the time is over, or nobody can say.
 */
export async function followRestart(
  reader: ControlReader,
  asked: AskedRestart,
  io: CommandIo,
): Promise<boolean> {
  const system = createRealSystem();
  const beganMs = system.monotonicMs();
  let saidMs = Number.NEGATIVE_INFINITY;
  let said = "";
  for (;;) {
    const detail = await detailOf(reader, asked.path);
    if (detail === undefined) return false;
    if (hasBegunAgain(asked.before, detail)) return true;
    const nowMs = system.monotonicMs();
    const waitedMs = nowMs - beganMs;
    if (waitedMs >= asked.timeoutMs) return false;
    const key = JSON.stringify(reasonOf(detail));
    if (waitedMs >= quietMs && (key !== said || nowMs - saidMs >= wordMs)) {
      const { timestamp } = objectOf(await reader.ask("/overview"));
      const words = waitText(detail, numberIn(timestamp));
      io.tell(`waiting for ${durationText(waitedMs / 1000)}: "${asked.agent}" ${words}`);
      saidMs = nowMs;
      said = key;
    }
    await new Promise<void>((resolve) => void system.setTimer(pollMs, resolve));
  }
}

/** It may have ended for good, and the process may be gone. */
async function detailOf(reader: ControlReader, path: string): Promise<WireObject | undefined> {
  try {
    return objectOf(await reader.ask(path));
  } catch {
    return undefined;
  }
}

function hasBegunAgain(before: WireObject, now: WireObject): boolean {
  if (numberIn(now["restart_count"]) !== numberIn(before["restart_count"])) return true;
  return numberIn(now["uptime_seconds"]) < numberIn(before["uptime_seconds"]);
}

/** What a word is about: another one comes when it changes. */
function reasonOf(detail: WireObject): unknown {
  const [first = {}] = objectsOf(detail["at_hand"]);
  const { kind, name } = objectOf(detail["waits_for"]);
  return [first["id"], kind, name, detail["waits_for_state"], detail["status"]];
}

function waitText(detail: WireObject, now: number): string {
  const [first] = objectsOf(detail["at_hand"]);
  if (first === undefined) return `is ${textIn(detail["status"])}`;
  const awaited = objectOf(detail["waits_for"]);
  const answer = awaited["since"] === undefined ? "" : `, which waits for ${awaitedText(awaited)}`;
  const state = detail["waits_for_state"] === true ? ", which waits for the state store" : answer;
  const text = `has ${textIn(first["type"])} at hand, for ${ageText(first["since"], now)}${state}`;
  return `${text}; it ends first, within its shutdown_timeout`;
}
