import {
  Agent,
  child,
  dynamicSupervisor,
  type DynamicSupervisorOptions,
  type JsonObject,
  type Message,
  type SpawnOptions,
  type StopChildOptions,
  supervisor,
  TableError,
} from "../core/index.ts";
import { Puppet, puppet, simulate } from "./puppet.ts";
import type { Simulation } from "./simulation.ts";

/** For the tests of this package: an agent that spawns and ends puppets as its messages say, and hears of their ends. */
export class Spawner extends Agent {
  /** What all spawners heard, in order: spawner, child, reason. */
  static heard: string[] = [];

  override async handle({ payload }: Message): Promise<JsonObject> {
    if (payload["crash"] === true) throw new Error("as told");
    if (payload["hang"] === true) await new Promise(() => undefined);
    try {
      return { ...(await this.#obey(payload)) };
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      return { refused: error.code, details: error.details as JsonObject };
    }
  }

  #obey(payload: JsonObject): Promise<object> {
    const { name, op } = payload as { name: string; op: string };
    const into = payload["into"] as string | undefined;
    const config = payload["config"] as JsonObject | undefined;
    if (op === "despawn") return this.despawn(name);
    if (op === "stop") return this.stopChild(name, payload["options"] as StopChildOptions);
    const options = payload["options"] as SpawnOptions | undefined;
    if (into === undefined) return this.spawn(Puppet, name, config, options);
    return this.spawnInto(into, Puppet, name, config, options);
  }

  override onChildTerminated(name: string, reason: string): void {
    Spawner.heard.push(`${this.name}: ${name} ${reason}`);
  }
}

/** Starts a tree with a dynamic supervisor `pool`, the spawners `boss` and `clerk` and the puppet `static`. */
export async function startPool(options: DynamicSupervisorOptions = {}): Promise<Simulation> {
  Spawner.heard = [];
  return await simulate(
    supervisor("root", {
      backoffBaseMs: 0,
      children: [
        dynamicSupervisor("pool", options),
        child(Spawner, "boss"),
        child(Spawner, "clerk"),
        puppet("static"),
      ],
    }),
  );
}

/** Lets a spawner spawn a child. */
export async function spawn(
  simulation: Simulation,
  name: string,
  request: JsonObject & { readonly by?: string } = {},
): Promise<JsonObject> {
  const { by = "boss", ...rest } = request;
  return await simulation.call(by, { op: "spawn", name, ...rest });
}

/** @returns The names of the children of `pool`. */
export function poolNames(simulation: Simulation): string[] {
  const pool = simulation.runtime.tree().children.find(({ name }) => name === "pool");
  return pool?.kind === "supervisor" ? pool.children.map(({ name }) => name) : [];
}
