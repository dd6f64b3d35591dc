/**
 * That the invariants can fail: five faults of a kernel, each planted into a copy of the source, each found within a
 * thousand seeds. Nothing of this ships.
 */
import assert from "node:assert/strict";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import type * as Core from "../core/index.ts";
import type * as Testing from "./index.ts";

const source = fileURLToPath(new URL("..", import.meta.url));
const base = realpathSync(mkdtempSync(join(tmpdir(), "agentrt-planted-")));
after(() => rmSync(base, { recursive: true, force: true }));
symlinkSync(join(source, "..", "..", "node_modules"), join(base, "node_modules"), "dir");

interface Kernel {
  readonly core: typeof Core;
  readonly testing: typeof Testing;
}

/** A fault: in which file, what stands there, and what stands there instead. */
interface Plant {
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

async function plantedKernel(name: string, plant: Plant | undefined): Promise<Kernel> {
  const folder = join(base, name);
  cpSync(source, folder, {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts") && !path.includes("fixtures"),
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  if (plant !== undefined) {
    const path = join(folder, plant.file);
    const text = readFileSync(path, "utf8");
    assert.equal(text.split(plant.right).length, 2, `${plant.file} holds once: ${plant.right}`);
    writeFileSync(path, text.replace(plant.right, plant.wrong));
  }
  const load = async (part: string): Promise<unknown> =>
    await import(pathToFileURL(join(folder, part, "index.ts")).href);
  return {
    core: (await load("core")) as typeof Core,
    testing: (await load("testing")) as typeof Testing,
  };
}

/** Counters that save, call each other and hold little, below supervisors of all strategies. */
function treeOf({ Agent, child, supervisor }: typeof Core, seed: number): Core.SupervisorSpec {
  class Counter extends Agent {
    override async handle(): Promise<Core.JsonObject> {
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      await this.checkpoint();
      if (this.name === "last") return { count: this.state["count"] };
      return await this.call("last", {}, { timeoutMs: 3000 });
    }
  }
  return supervisor("root", {
    strategy: (["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"] as const)[seed % 3],
    backoffBaseMs: 100,
    children: [
      child(Counter, "first"),
      child(Counter, "last", { mailboxLengthMax: 3 }),
      supervisor("below", {
        strategy: "REST_FOR_ONE",
        backoffBaseMs: 10,
        children: [
          child(Counter, "left", { handleTimeoutMs: 400 }),
          child(Counter, "right", { handleTimeoutMs: 400 }),
        ],
      }),
    ],
  });
}

/** Tries seeds up to the first in which that invariant, or without one any of them, is the first to be broken. */
async function firstFailure(
  kernel: Kernel,
  invariant?: string,
): Promise<Testing.RunReport | undefined> {
  for (let seed = 1; seed <= 1000; seed += 1) {
    const report = await kernel.testing.explore({ supervision: treeOf(kernel.core, seed), seed });
    const broken = report.violation?.invariant;
    if (broken !== undefined && broken === (invariant ?? broken)) return report;
  }
  return undefined;
}

const plants: { readonly [bug: string]: Plant & { readonly invariant: string } } = {
  "a lost crash report": {
    file: "core/supervision/supervisor-engine.ts",
    right: '.start((exit) => this.post({ kind: "childExited", slot, epoch, exit }))',
    wrong:
      '.start((exit) => { if (epoch !== 3) this.post({ kind: "childExited", slot, epoch, exit }); })',
    invariant: "crashes-decided",
  },
  "a reordered mailbox": {
    // A message overtakes the senders that wait for room before it.
    file: "core/messages/mailbox.ts",
    right: "if (lane.senders !== undefined && lane.senders.length > 0) return false;",
    wrong: "",
    invariant: "message-order",
  },
  "a restart over budget": {
    file: "core/supervision/supervisor.ts",
    right: "crashCount > limits.restartCountMax)",
    wrong: "crashCount > limits.restartCountMax + 1)",
    invariant: "restart-budget",
  },
  "a double start": {
    // A restart does not wait for the end of a child that crashed meanwhile.
    file: "core/incarnations/agent-cell.ts",
    right: "if (incarnation === undefined || incarnation.isSealed) return Promise.resolve([]);",
    wrong:
      'if (incarnation === undefined || incarnation.isSealed || incarnation.status === "CRASHED") return Promise.resolve([]);',
    invariant: "one-incarnation",
  },
  "a reply to a dead caller": {
    file: "bus/pending-call.ts",
    right: "if (caller.isSealed === true)",
    wrong: "if (false)",
    invariant: "replies",
  },
};

for (const [bug, { invariant, ...plant }] of Object.entries(plants)) {
  test(`${bug} is found within 1000 seeds`, async (context) => {
    const kernel = await plantedKernel(bug.replaceAll(" ", "-"), plant);
    const report = await firstFailure(kernel, invariant);
    assert.ok(report?.violation, "1000 seeds and nothing was found");
    context.diagnostic(`seed ${report.seed}: ${report.violation.reason}`);
  });
}

test("in the kernel as it is, the same seeds find nothing", async () => {
  const report = await firstFailure(await plantedKernel("as-it-is", undefined));
  assert.equal(report, undefined);
});
