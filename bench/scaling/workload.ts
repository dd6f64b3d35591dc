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

/** The code of the agents. A computing handler does a fixed amount of work, so that a busy machine only makes it later. */
export const agentsText = `import { Agent } from "agentrt";
const compute = (rounds) => {
  let hash = 0x811c9dc5;
  for (let round = 0; round < rounds; round += 1) hash = Math.imul(hash ^ (round & 255), 0x01000193);
  return hash;
};
const answer = async ({ payload }) => {
  const { work, sequence } = payload;
  if (work === "wait") await new Promise((resolve) => setTimeout(resolve, ${waitMs}));
  if (work === "compute") return { sequence, hash: compute(2_000_000) };
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
