import {
  TableError,
  type JsonObject,
  type OutgoingPayload,
  type SendOptions,
} from "../core/index.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Simulation } from "./simulation.ts";

/** What a workload does its work with: the outside of one simulated tree. */
export interface WorkloadContext {
  /** The names of all agents and pools, in the order of the tree. */
  readonly agents: readonly string[];
  readonly seed: number;
  /** @returns A number in [0, 1) that the seed decides. */
  readonly random: () => number;
  /** Waits in virtual time, in milliseconds. */
  readonly sleep: (delayMs: number) => Promise<void>;
  /** Sends a request; rejects as `Runtime.call` does, also because of a fault that the simulation made. */
  readonly call: (
    to: string,
    payload: OutgoingPayload,
    options?: SendOptions,
  ) => Promise<JsonObject>;
  /** Sends a message; settles once it is in the mailbox. */
  readonly cast: (to: string, payload: OutgoingPayload, options?: SendOptions) => Promise<void>;
}

/**
 * What is asked of a tree during one run. An error of the runtime that it does not catch ends it, for this run; any
 * other error is a broken invariant: throw one where the tree answers wrongly.
 */
export type Workload = (context: WorkloadContext) => Promise<void> | void;

/** Makes the outside of a tree. */
export function workloadContext(simulation: Simulation, random: SeededRandom): WorkloadContext {
  const { runtime, record, seed } = simulation;
  return {
    agents: record.plan.receiverNames,
    seed,
    random: () => random.next(),
    sleep: (delayMs) => simulation.sleep(delayMs),
    call: (to, payload, options) => runtime.call(to, payload, options),
    cast: (to, payload, options) => runtime.cast(to, payload, options),
  };
}

/**
 * Makes the workload of a tree that nobody knows anything about: calls, casts and bursts of `{}` to every agent.
 *
 * @param durationMs Virtual time over which they are spread.
 * @returns The workload.
 */
export function defaultWorkload(durationMs: number): Workload {
  return async (context) => {
    const { agents, random } = context;
    if (agents.length === 0) return;
    const count = 5 + Math.floor(random() * 35);
    for (let done = 0; done < count; done += 1) {
      await context.sleep((-Math.log(1 - random()) * durationMs) / count / 1.2);
      const agent = agents[Math.floor(random() * agents.length)] ?? "";
      const burstLength = random() < 0.05 ? 3 + Math.floor(random() * 20) : 1;
      for (let sent = 0; sent < burstLength; sent += 1) ask(context, agent);
    }
  };
}

/** Sends one message; whether it is answered, and how, is the business of the invariants. */
function ask({ random, call, cast }: WorkloadContext, agent: string): void {
  const options: SendOptions = {
    ...(random() < 0.1 ? { priority: 1 } : {}),
    ...(random() < 0.05 ? { ttlMs: Math.floor(random() * 200) } : {}),
    ...(random() < 0.2 ? { timeoutMs: 1 + Math.floor(random() * 2000) } : {}),
  };
  const isCall = random() < 0.6;
  const sent: Promise<unknown> = isCall ? call(agent, {}, options) : cast(agent, {}, options);
  sent.catch(() => undefined);
}

/**
 * Runs a workload to its end.
 *
 * @returns What it threw, unless that is an error of the runtime, which a fault may cause.
 */
export async function runWorkload(workload: Workload, context: WorkloadContext): Promise<unknown> {
  try {
    await workload(context);
  } catch (error) {
    if (!(error instanceof TableError)) return error;
  }
  return undefined;
}
