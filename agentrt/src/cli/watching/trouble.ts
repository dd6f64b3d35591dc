import type { Style } from "../command.ts";
import { objectOf, objectsOf, type WireObject } from "./control-reader.ts";
import { ageText, clockOf, durationText, numberIn, textIn } from "./shown.ts";

/** An event loop that was late by this much was blocked, milliseconds. */
const blockedMsMin = 1000;

/** The answers that tell of trouble. */
interface TroubleSources {
  /** Of `/overview`. */
  readonly overview: unknown;
  /** Of `/health`. */
  readonly health: unknown;
  /** Of `/processes`. */
  readonly processes: unknown;
}

/**
 * Says what is wrong with the whole of a running topology, which no row of an agent shows: agents that are given up or halted, a store or an audit log
 * that cannot be written, people who are waited for, models that do not answer, budgets of model calls that are used up, an event loop that was
 * blocked.
 *
 * @returns A line for each, with the command that says more and its line break; empty when all is well.
 */
export function troubleText({ overview, health, processes }: TroubleSources, style: Style): string {
  const lines = [
    ...healthLines(health),
    ...modelLines(overview),
    ...budgetLines(overview),
    ...loopLines(processes, overview),
  ];
  return lines.map((line) => `${style.red(line)}\n`).join("");
}

/** The lines of an answer to `/health`. */
export function healthLines(body: unknown): string[] {
  const { failed, halted, state, audit, approvals, workers_away: away } = objectOf(body);
  const { workers_silent: silent } = objectOf(body);
  const store = objectOf(state);
  const sink = objectOf(audit);
  const pending = numberIn(objectOf(approvals)["pending"]);
  const isOne = pending === 1;
  const where = textIn(store["worker"]);
  return [
    ...namesIn(away).map(
      (group) => `! no worker of "${group}" is there: agentrt run --process ${group} starts one`,
    ),
    ...namesIn(silent).map(
      (label) => `! the worker ${label} gives no answer: it is busy, or it hangs; see its log`,
    ),
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
          `! no state is saved in ${textIn(store["store"])}${where === "" ? "" : ` by the worker ${where}`}: ${textIn(store["reason"])}: agentrt doctor`,
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

/** The lines of an answer to `/overview` about models. */
export function modelLines(body: unknown): string[] {
  const { models_silent: silent, timestamp } = objectOf(body);
  return objectsOf(silent).map(({ name, since, agents }) => {
    const count = numberIn(agents);
    const who = count === 1 ? "1 agent waits" : `${count} agents wait`;
    const forLong = durationText(Math.max(0, numberIn(timestamp) - numberIn(since)));
    return `! the model ${textIn(name)} has answered nobody for ${forLong}, and ${who} for it: AT HAND says which, then agentrt describe <agent>`;
  });
}

/** The lines of an answer to `/overview` about budgets. */
export function budgetLines(body: unknown): string[] {
  return objectsOf(objectOf(body)["budgets_used_up"]).map(({ name, per, frees_at: freesAt }) => {
    const until =
      typeof freesAt === "number"
        ? `until ${clockOf(freesAt)}`
        : "until it is raised, or reset while nothing runs";
    return `! the budget of ${textIn(name)} (per ${textIn(per)}) is used up ${until}: its calls of models are refused: agentrt cost`;
  });
}

/** Says when it was: `14 s ago`, `3 times in the last two minutes, the last 14 s ago`. */
function blockedText({ count, last }: WireObject, now: number): string {
  const lately = `${ageText(last, now)} ago`;
  const times = numberIn(count);
  return times < 2 ? lately : `${times} times in the last two minutes, the last ${lately}`;
}

/** The lines of an answer to `/processes`; `/overview` says what time it is there. */
export function loopLines(body: unknown, overview: unknown): string[] {
  const [first = {}] = objectsOf(objectOf(body)["processes"]);
  const delay = objectOf(first["event_loop_delay"]);
  const now = numberIn(objectOf(overview)["timestamp"]);
  const line = (name: string, why: string): string[] => {
    const blocks = objectOf(delay[name]);
    const ms = Math.round(numberIn(blocks["max_ms"]));
    return ms < blockedMsMin
      ? []
      : [`! nobody was served for ${ms} ms, ${blockedText(blocks, now)}${why}`];
  };
  const starved =
    ", since the machine gave the process hardly any processor: an agent is to blame only where agentrt logs names the same one each time";
  return [...line("blocked", ": agentrt logs names who computed"), ...line("starved", starved)];
}
