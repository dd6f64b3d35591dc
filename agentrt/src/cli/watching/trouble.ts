import type { Style } from "../command.ts";
import { objectOf, objectsOf } from "./control-reader.ts";
import { numberIn, textIn } from "./shown.ts";

/** An event loop that was late by this much was blocked, milliseconds. */
const blockedMsMin = 1000;

/** The answers that tell of trouble. */
interface TroubleSources {
  /** Of `/health`. */
  readonly health: unknown;
  /** Of `/processes`. */
  readonly processes: unknown;
}

/**
 * Says what is wrong with the whole of a running topology, which no row of an agent shows: agents that are given up or halted, a store or an audit log
 * that cannot be written, people who are waited for, an event loop that was blocked.
 *
 * @returns A line for each, with the command that says more and its line break; empty when all is well.
 */
export function troubleText({ health, processes }: TroubleSources, style: Style): string {
  const lines = [...healthLines(health), ...loopLines(processes)];
  return lines.map((line) => `${style.red(line)}\n`).join("");
}

/** The lines of an answer to `/health`. */
export function healthLines(body: unknown): string[] {
  const { failed, halted, state, audit, approvals } = objectOf(body);
  const store = objectOf(state);
  const sink = objectOf(audit);
  const pending = numberIn(objectOf(approvals)["pending"]);
  const isOne = pending === 1;
  return [
    ...namesIn(failed).map(
      (name) => `! ${name} is given up: agentrt describe ${name}, then agentrt restart ${name}`,
    ),
    ...namesIn(halted).map(
      (name) =>
        `! ${name} is halted by an eval agent: agentrt describe ${name}, then agentrt resume ${name}`,
    ),
    ...(state === undefined
      ? []
      : [
          `! no state is saved in ${textIn(store["store"])}: ${textIn(store["reason"])}: agentrt doctor`,
        ]),
    ...(audit === undefined
      ? []
      : [`! the audit log ${textIn(sink["sink"])} is not written: ${textIn(sink["reason"])}`]),
    ...(pending === 0
      ? []
      : [
          `! ${pending} ${isOne ? "approval waits" : "approvals wait"} for a person: agentrt approvals list`,
        ]),
  ];
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? (list as unknown[]).map(textIn).filter((name) => name !== "") : [];
}

function loopLines(body: unknown): string[] {
  const [first = {}] = objectsOf(objectOf(body)["processes"]);
  const ms = Math.round(numberIn(objectOf(first["event_loop_delay"])["max_ms"]));
  if (ms < blockedMsMin) return [];
  return [
    `! nobody was served for ${ms} ms, in the last two minutes: agentrt logs names who computed`,
  ];
}
