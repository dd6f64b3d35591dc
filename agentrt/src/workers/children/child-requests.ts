import { type EndRequest, type JsonObject, type Kernel, runtimeName } from "../../core/index.ts";
import { workerErrors } from "../errors.ts";
import { objectOf, textOf } from "../protocol.ts";
import { childTypes, reportPayload } from "./child-protocol.ts";

/** What it is made from. */
interface ChildRequestsInit {
  readonly kernel: Pick<Kernel, "children">;
  /** True for the process that a worker is at the moment. */
  readonly isThere: (process: string, processId: string) => boolean;
  /** The process group of an agent, or the label of its worker. */
  readonly processOf: (agent: string) => string | undefined;
  /** Settles when other processes reach a name of this one. */
  readonly isReached: (name: string) => Promise<void>;
}

/** What agents of workers ask of dynamic supervisors, as the supervisor's process answers it. */
export class ChildRequests {
  readonly #init: ChildRequestsInit;

  constructor(init: ChildRequestsInit) {
    this.#init = init;
  }

  /** @throws As `Agent.spawn` and `Agent.stopChild`. */
  async answer(type: string, payload: JsonObject): Promise<JsonObject> {
    const spawner = this.#spawnerOf(payload);
    return type === childTypes.spawn
      ? await this.#spawn(spawner, payload)
      : await this.#end(spawner, payload);
  }

  async #spawn(spawner: string, payload: JsonObject): Promise<JsonObject> {
    const { name, into, config, options, class: agentClass } = payload;
    const report = await this.#init.kernel.children.spawn(spawner, {
      agentClass: textOf(agentClass),
      name: textOf(name),
      config: config === undefined ? undefined : objectOf(config),
      options: objectOf(options),
      into: into === undefined ? undefined : textOf(into),
    });
    await this.#init.isReached(report.name);
    return reportPayload(report);
  }

  async #end(requester: string, payload: JsonObject): Promise<JsonObject> {
    const { name, drain, timeout_ms: timeoutMs } = payload;
    const request: EndRequest = {
      name: textOf(name),
      drain: drain === "now" || drain === "all" ? drain : "current",
      timeoutMs: typeof timeoutMs === "number" ? timeoutMs : undefined,
    };
    const { lateNames } = await this.#init.kernel.children.end(requester, request);
    return { late: [...lateNames] };
  }

  /** A worker speaks for the agents that it has, and for no others. */
  #spawnerOf(payload: JsonObject): string {
    const spawner = textOf(payload["spawner"]);
    const process = textOf(payload["process"]);
    const isThere = this.#init.isThere(process, textOf(payload["process_id"]));
    const of = spawner === runtimeName ? process : this.#init.processOf(spawner);
    if (isThere && (of === process || of?.startsWith(`${process}/`) === true)) return spawner;
    throw new workerErrors.AWAY({ agent: spawner, process });
  }
}
