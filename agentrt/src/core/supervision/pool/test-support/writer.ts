import {
  Agent,
  type ChildSpec,
  type JsonObject,
  type Message,
  pool,
  type PoolOptions,
  supervisor,
} from "../../../index.ts";
import { Simulation } from "../../../../testing/index.ts";

let held: Simulation;

/** Takes as long as it is told; writes down what it begins and how many do so at once. */
export class Writer extends Agent {
  static begun: unknown[] = [];
  static busyCount = 0;
  static busyCountMax = 0;

  override async handle({ payload, signal }: Message): Promise<JsonObject> {
    Writer.begun.push(payload["n"]);
    if (payload["save"] === true) {
      return await this.checkpoint({}).then(
        () => ({ refused: null }),
        (error: { code: string }) => ({ refused: error.code }),
      );
    }
    Writer.busyCount += 1;
    Writer.busyCountMax = Math.max(Writer.busyCountMax, Writer.busyCount);
    try {
      const left = new Promise((resolve) => signal.addEventListener("abort", resolve));
      await Promise.race([held.sleep(Number(payload["ms"] ?? 0)), left]);
    } finally {
      Writer.busyCount -= 1;
    }
    if (payload["crash"] === true) throw new RangeError("as told");
    return { by: this.name };
  }
}

/** Starts a tree with one pool of writers on a virtual clock; it restarts together with the siblings before it. */
export async function simulatePool(
  options: PoolOptions,
  seed = 1,
  siblings: readonly ChildSpec[] = [],
): Promise<Simulation> {
  Writer.begun = [];
  Writer.busyCount = 0;
  Writer.busyCountMax = 0;
  held = new Simulation({
    seed,
    supervision: supervisor("root", {
      strategy: siblings.length > 0 ? "ONE_FOR_ALL" : "ONE_FOR_ONE",
      backoffBaseMs: 0,
      children: [...siblings, pool(Writer, "writer", options)],
    }),
  });
  await held.start();
  return held;
}
