import {
  TableError,
  type ChunkStream,
  type JsonObject,
  type OutgoingPayload,
  type SendOptions,
  type StreamOptions,
  type SupervisorSpec,
} from "../core/index.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { Simulation } from "./simulation.ts";

/** What a workload does its work with: the outside of one simulated tree. */
export interface WorkloadContext {
  /** The names of all agents and pools, in the order of the tree; those with an object for each key, too. */
  readonly agents: readonly string[];
  /** The agents with an object for each key, and how many may have one at a time. */
  readonly keyed: ReadonlyMap<string, KeyedAgent>;
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
  /** Asks for a reply chunk by chunk, as `Runtime.stream` does. */
  readonly stream: (to: string, payload: OutgoingPayload, options?: StreamOptions) => ChunkStream;
  /** Sends a message; settles once it is in the mailbox. */
  readonly cast: (to: string, payload: OutgoingPayload, options?: SendOptions) => Promise<void>;
}

/** An agent with an object for each key, for a workload. */
export interface KeyedAgent {
  /** The field of the payload that holds the key; null when the name does, as in `ticket/4711`. */
  readonly keyField: string | null;
  readonly residentCountMax: number;
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
    keyed: new Map(record.plan.keyed.map(({ name, spec }) => [name, keyedAgent(spec)])),
    seed,
    random: () => random.next(),
    sleep: (delayMs) => simulation.sleep(delayMs),
    call: (to, payload, options) => runtime.call(to, payload, options),
    stream: (to, payload, options) => runtime.stream(to, payload, options),
    cast: (to, payload, options) => runtime.cast(to, payload, options),
  };
}

function keyedAgent({ keyed }: SupervisorSpec): KeyedAgent {
  return { keyField: keyed?.keyField ?? null, residentCountMax: keyed?.residentCountMax ?? 0 };
}

/**
 * Makes the workload of a tree that nobody knows anything about: calls, casts, streams and bursts of `{}` to every agent,
 * with a key where one is needed. Some callers leave before they have their answer, or their last chunk.
 *
 * @param durationMs Virtual time over which they are spread.
 * @param left How many messages it may send, which it counts down; default as many as the seed decides.
 * @returns The workload.
 */
export function defaultWorkload(
  durationMs: number,
  left = { messageCount: Number.POSITIVE_INFINITY },
): Workload {
  return async (context) => {
    const { agents, random } = context;
    if (agents.length === 0) return;
    const count = 5 + Math.floor(random() * 35);
    for (let done = 0; done < count; done += 1) {
      await context.sleep((-Math.log(1 - random()) * durationMs) / count / 1.2);
      const agent = agents[Math.floor(random() * agents.length)] ?? "";
      const burstLength = random() < 0.05 ? 3 + Math.floor(random() * 20) : 1;
      for (let sent = 0; sent < burstLength; sent += 1) {
        if (left.messageCount <= 0) return;
        left.messageCount -= 1;
        ask(context, agent);
      }
    }
  };
}

/** Sends one message; whether it is answered, and how, is the business of the invariants. */
function ask(context: WorkloadContext, agent: string): void {
  const { random, call, cast } = context;
  const { to, payload } = receiverOf(context, agent);
  const timed = {
    ...(random() < 0.1 ? { priority: 1 } : {}),
    ...(random() < 0.05 ? { ttlMs: Math.floor(random() * 200) } : {}),
  };
  const left = random() < 0.15 ? leaving(context) : undefined;
  const draw = random();
  if (draw < 0.1) {
    void take(context, context.stream(to, payload, { ...timed, ...left }));
    return;
  }
  const timeoutMs = random() < 0.2 ? { timeoutMs: 1 + Math.floor(random() * 2000) } : {};
  const options: SendOptions = { ...timed, ...timeoutMs, ...left };
  const sent: Promise<unknown> =
    draw < 0.64 ? call(to, payload, options) : cast(to, payload, options);
  sent.catch(() => undefined);
}

/** Whom a message is for: half of them go to a few keys. */
function receiverOf(
  { random, keyed }: WorkloadContext,
  agent: string,
): { readonly to: string; readonly payload: JsonObject } {
  const found = keyed.get(agent);
  if (found === undefined) return { to: agent, payload: {} };
  const { keyField, residentCountMax } = found;
  const keyCount = random() < 0.5 ? 2 : Math.min(50, 2 * residentCountMax + 1);
  const key = `k${1 + Math.floor(random() * keyCount)}`;
  if (keyField === null || random() < 0.1) return { to: `${agent}/${key}`, payload: {} };
  return { to: agent, payload: { [keyField]: key } };
}

/** A signal of a caller who leaves after a while. */
function leaving({ random, sleep }: WorkloadContext): { readonly signal: AbortSignal } {
  const leaver = new AbortController();
  void sleep(random() * random() * 3000).then(() => leaver.abort(new Error("the caller has left")));
  return { signal: leaver.signal };
}

/** Takes a stream to its end, or leaves it early. */
async function take({ random }: WorkloadContext, stream: ChunkStream): Promise<void> {
  const wantedCount = random() < 0.5 ? 1 + Math.floor(random() * 3) : Number.POSITIVE_INFINITY;
  try {
    for (let taken = 0; taken < wantedCount; taken += 1) {
      const { done } = await stream.next();
      if (done === true) return;
    }
    await stream.return();
  } catch {
    // How it ends is the business of the invariants.
  }
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
