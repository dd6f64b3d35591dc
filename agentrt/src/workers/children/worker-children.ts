import {
  busErrors,
  type ChildrenPort,
  type ChildStopReport,
  type EndRequest,
  type JsonObject,
  spawnErrors,
  type SpawnReport,
  type SpawnRequest,
} from "../../core/index.ts";
import type { ControlChannel } from "../../links/index.ts";
import { supervisorTopic } from "../protocol.ts";
import { childTypes, readReport } from "./child-protocol.ts";

/** How long a spawn and an end may take where nobody says, as inside of one process. */
const defaultTimeoutMs = 30_000;
/** What the way to the supervisor and back may take in addition. */
const wayMs = 5000;
/** How long an end without a limit may take. */
const hardTimeoutMs = 120_000;

/** What it is made from. */
interface WorkerChildrenInit {
  readonly channel: ControlChannel;
  readonly process: string;
  readonly processId: string;
  /** {@inheritDoc RuntimeOptions.typeOfClass} */
  readonly typeOfClass: (agentClass: unknown) => string | undefined;
}

/** The way from the agents of a worker to the dynamic supervisors, which are in the supervisor's process. */
export class WorkerChildren implements ChildrenPort {
  readonly #init: WorkerChildrenInit;

  constructor(init: WorkerChildrenInit) {
    this.#init = init;
  }

  /** {@inheritDoc ChildrenPort.spawn} */
  async spawn(spawner: string, request: SpawnRequest): Promise<SpawnReport> {
    const { name, into, config, options } = request;
    const { signal, ...sent } = options ?? {};
    const supervisor = into ?? "the nearest dynamic supervisor";
    const agentClass = requireType(request, supervisor, this.#init.typeOfClass);
    const timeoutMs = options?.timeoutMs ?? defaultTimeoutMs;
    const payload: JsonObject = JSON.parse(
      JSON.stringify({ name, into, config, options: sent, class: agentClass }),
    );
    signal?.throwIfAborted();
    const asked = this.#ask(childTypes.spawn, { ...payload, spawner }, timeoutMs + wayMs);
    try {
      return readReport(await (signal === undefined ? asked : endedBy(asked, signal, spawner)));
    } catch (error) {
      if (!(error instanceof busErrors.TIMEOUT)) throw error;
      const waitsFor = "the answer of the supervisor's process";
      throw new spawnErrors.TIMEOUT({ child: name, supervisor, timeoutMs, waitsFor });
    }
  }

  /** {@inheritDoc ChildrenPort.end} */
  async end(requester: string, { name, drain, timeoutMs }: EndRequest): Promise<ChildStopReport> {
    const payload: JsonObject = { name, drain };
    if (timeoutMs !== undefined) payload["timeout_ms"] = timeoutMs;
    const limitMs = timeoutMs ?? (drain === "now" ? hardTimeoutMs : defaultTimeoutMs);
    const asked = this.#ask(childTypes.end, { ...payload, spawner: requester }, limitMs + wayMs);
    const { late } = await asked;
    return { lateNames: Array.isArray(late) ? late.map(String) : [] };
  }

  async #ask(type: string, payload: JsonObject, timeoutMs: number): Promise<JsonObject> {
    const { channel, process, processId } = this.#init;
    const sent = { ...payload, process, process_id: processId };
    return await channel.ask(supervisorTopic, { type, payload: sent }, timeoutMs);
  }
}

/**
 * Says how another process loads the class of a child.
 *
 * @throws AGENTRT_SPAWN_CLASS_NOT_LOADED.
 */
export function requireType(
  { agentClass, name: child }: SpawnRequest,
  supervisor: string,
  typeOfClass: (agentClass: unknown) => string | undefined,
): string {
  const type = typeof agentClass === "string" ? agentClass : typeOfClass(agentClass);
  if (type !== undefined) return type;
  throw new spawnErrors.CLASS_NOT_LOADED({
    child,
    supervisor,
    agentClass: typeof agentClass === "function" ? agentClass.name : agentClass,
    reason:
      "another process cannot load it: no module that the topology names exports it; give it as text, as in `type:`",
  });
}

/** Waits until the signal ends the wait; what was asked goes on. */
async function endedBy<Value>(
  asked: Promise<Value>,
  signal: AbortSignal,
  address: string,
): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new busErrors.CANCELLED({ address }));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([asked, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
