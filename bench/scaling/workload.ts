/** What the handlers of the scaling benches do: nothing, wait 20 ms, or compute for about 2 ms of a processor. */
export type Work = "nothing" | "wait" | "compute";

/** How long a waiting handler waits, milliseconds. */
export const waitMs = 20;
/** Members of the pool for each worker: so many calls a worker handles at once. */
export const membersOfWorker = 8;
/** Keys that are called in turn. */
export const keyCount = 1000;

/** Calls that are open at a time. */
export function openCountOf(work: Work, workerCount: number): number {
  // Of handlers that wait as many as there is room for, twice: none is ever without one that waits.
  return work === "wait" ? 2 * membersOfWorker * workerCount : 64;
}

/**
 * What a computing handler does: a fixed amount of work, so that a busy machine only makes it later. It is native code. A loop
 * in JavaScript took 2.2 ms in its first 700 calls and 7.7 ms from then on, when the compiler had put it into its caller: its
 * cost depended on how many calls a worker had had.
 */
export const computeText = `import { pbkdf2Sync } from "node:crypto";
const compute = () => pbkdf2Sync("handler", "salt", 16_000, 32, "sha256").toString("hex");`;

/** The code of the agents. */
export const agentsText = `import { Agent } from "agentrt";
${computeText}
const answer = async ({ payload }) => {
  const { work, sequence } = payload;
  if (work === "wait") await new Promise((resolve) => setTimeout(resolve, ${waitMs}));
  if (work === "compute") return { sequence, hash: compute() };
  return { sequence };
};
export class Member extends Agent {
  async handle(message) { return await answer(message); }
}
export class Ticket extends Agent {
  async handle(message) { return await answer(message); }
}
export class Caller extends Agent {
  async handle({ payload: { target, work, keyCount, untilMs, lane } }) {
    let count = 0;
    while (Date.now() < untilMs) {
      const id = "key-" + ((lane * 131 + count * 7) % keyCount);
      const { sequence } = await this.call(target, { sequence: count, work, id });
      if (sequence !== count) throw new Error("another answer came");
      count += 1;
    }
    return { count };
  }
}
`;

/** The topology: a pool and a keyed agent on all workers of the group \`back\`, and an agent on a worker that calls them. */
export function topologyText(natsUrl: string, workerCount: number): string {
  return `transport: { type: nats, servers: "${natsUrl}" }
plugins:
  state: { type: sqlite }
supervision:
  name: root
  children:
    - { type: pool, name: team, class: agents.Member, size: ${membersOfWorker * workerCount}, process: back }
    - { type: keyed, name: ticket, class: agents.Ticket, key: id, process: back, max_resident: ${keyCount} }
    - agent: { name: caller, type: agents.Caller, process: front, concurrency: 1000 }
`;
}
