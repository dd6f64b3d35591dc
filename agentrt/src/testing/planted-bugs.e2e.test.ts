/**
 * That the invariants can fail: faults of a kernel, each planted into a copy of the source, each found within a
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

/** What stands there, and what stands there instead. */
interface Change {
  readonly right: string;
  readonly wrong: string;
}

/** A fault: in which file, and what is changed. */
interface Plant extends Change {
  readonly file: string;
  /** Where two things hold the same promise, the other one; of the same file, unless it is named. */
  readonly also?: Change & { readonly file?: string };
}

async function plantedKernel(name: string, plant: Plant | undefined): Promise<Kernel> {
  const folder = join(base, name);
  cpSync(source, folder, {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts") && !path.includes("fixtures"),
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  if (plant !== undefined) {
    const changes = plant.also === undefined ? [plant] : [plant, { ...plant, ...plant.also }];
    for (const { file, right, wrong } of changes) {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      assert.equal(text.split(right).length, 2, `${file} holds once: ${right}`);
      writeFileSync(path, text.replace(right, wrong));
    }
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

/** Tickets in few places that ask a desk, which asks an archive; some answer later, some never. */
function keysOf({ Agent, child, keyed, supervisor }: typeof Core): Core.SupervisorSpec {
  class Archive extends Agent {
    readonly #promised: Core.DeferredReply[] = [];

    override handle(message: Core.Message): void {
      this.#promised.push(message.defer());
      if (this.#promised.length < 2) return;
      for (const reply of this.#promised.splice(0)) if (!reply.signal.aborted) reply.send({});
    }
  }
  class Desk extends Agent {
    override async handle(): Promise<Core.JsonObject> {
      return await this.call("archive", {}, { timeoutMs: 60_000 });
    }
  }
  class Ticket extends Agent {
    #count = 0;

    override async handle(): Promise<Core.JsonObject> {
      this.#count += 1;
      this.state["count"] = Number(this.state["count"] ?? 0) + 1;
      if (this.#count % 3 === 1) await this.call("desk", {}, { timeoutMs: 3000 });
      return { count: this.state["count"] };
    }
  }
  return supervisor("root", {
    restartCountMax: 20,
    backoffBaseMs: 100,
    children: [
      child(Archive, "archive"),
      child(Desk, "desk", { concurrency: 3 }),
      keyed(Ticket, "ticket", { key: "id", idleMs: 1000, residentCountMax: 3, backoffBaseMs: 10 }),
    ],
  });
}

/** Writers that come and go with the work, some of which ask other writers, and a reader that answers all. */
function poolsOf({ Agent, pool, supervisor }: typeof Core): Core.SupervisorSpec {
  class Reader extends Agent {
    override handle(): Core.JsonObject {
      return { by: this.name };
    }
  }
  class Writer extends Agent {
    #count = 0;

    override async handle(): Promise<Core.JsonObject> {
      this.#count += 1;
      if (this.#count % 4 === 1) {
        // Refused where all members work for this one, which breaks no invariant.
        await this.call("writer", {}, { timeoutMs: 1000 }).catch((error: Core.TableError) => {
          if (error.code !== "AGENTRT_BUS_CALL_CYCLE") throw error;
        });
      }
      return await this.call("reader", {}, { timeoutMs: 3000 });
    }
  }
  return supervisor("root", {
    restartCountMax: 20,
    backoffBaseMs: 100,
    children: [
      pool(Reader, "reader", { size: 2, backoffBaseMs: 10 }),
      pool(Writer, "writer", {
        memberCountMin: 2,
        memberCountMax: 5,
        scaleAfterMs: 200,
        idleMs: 1000,
        restartCountMax: 8,
        backoffBaseMs: 10,
      }),
    ],
  });
}

/** Clerks, each with many questions at once, who share a budget; one of them has less, and tickets have their own. */
function budgetsOf({ Agent, child, keyed, supervisor }: typeof Core): Core.SupervisorSpec {
  class Clerk extends Agent {
    override async handle(): Promise<Core.JsonObject> {
      const messages = [{ role: "user" as const, content: "Hi" }];
      const asked = Array.from({ length: 4 }, () => this.llm.chat({ messages, maxTokens: 8 }));
      const answers = await Promise.allSettled(asked);
      return { answers: answers.filter(({ status }) => status === "fulfilled").length };
    }
  }
  return supervisor("root", {
    restartCountMax: 20,
    backoffBaseMs: 100,
    budget: { tokens: 400 },
    children: [
      child(Clerk, "busy", { concurrency: 20, budget: { tokens: 120 } }),
      child(Clerk, "costly", { concurrency: 5, budget: { usd: 0.001, per: "hour" } }),
      keyed(Clerk, "ticket", { key: "id", idleMs: 1000, budget: { tokens: 40, per: "key" } }),
    ],
  });
}

type MakeTree = (core: typeof Core, seed: number) => Core.SupervisorSpec;

interface Search {
  readonly tree: MakeTree;
  readonly invariant?: string;
  readonly seedCount?: number;
}

/** Tries seeds up to the first in which that invariant, or without one any of them, is the first to be broken. */
async function firstFailure(
  kernel: Kernel,
  { tree, invariant, seedCount = 1000 }: Search,
): Promise<Testing.RunReport | undefined> {
  for (let seed = 1; seed <= seedCount; seed += 1) {
    const models: Testing.MakeModels = (world) => [
      { name: "seeded", provider: kernel.testing.seededModel(world) },
    ];
    const supervision = tree(kernel.core, seed);
    const report = await kernel.testing.explore({ supervision, seed, models });
    const broken = report.violation?.invariant;
    if (broken !== undefined && broken === (invariant ?? broken)) return report;
  }
  return undefined;
}

type Planted = Plant & { readonly invariant: string };

const plants: { readonly [bug: string]: Planted } = {
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
    file: "core/supervision/plan-restart.ts",
    right: "crashesInWindow > limits.restartCountMax)",
    wrong: "crashesInWindow > limits.restartCountMax + 1)",
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
    // The calls of an agent that ends are closed, too.
    also: { right: "this.caller.requests?.add(this);", wrong: "" },
    invariant: "replies",
  },
};

const keyPassivation = "core/supervision/keyed/key-passivation.ts";

const plantsAmongKeys: { readonly [bug: string]: Planted } = {
  "a key on two instances": {
    // A key is forgotten before its object has ended.
    file: keyPassivation,
    right: "void driver.stop(softly);",
    wrong: "this.#home.forget(slot); void driver.stop(softly);",
    invariant: "one-incarnation",
  },
  "a reply after a cancel": {
    file: "bus/pending-call.ts",
    right: "const cancel = (): void => this.cancel(cancelled(this.#to, signal));",
    wrong: 'const cancel = (): void => { (this.#links ??= {}).callerGone = "abandoned"; };',
    invariant: "no-reply-after-cancel",
  },
  "a deadline that grows over a hop": {
    file: "bus/message-bus.ts",
    right: "if (limitMs !== undefined && sentAtMs + timeoutMs > limitMs) {",
    wrong: "if (limitMs !== undefined && sentAtMs > limitMs) {",
    invariant: "deadlines-shrink",
  },
  "a message lost at passivation": {
    // The first that came while the key went is nowhere.
    file: keyPassivation,
    right: "if (driver.hasNext) {",
    wrong: "driver.mailbox.take(); if (driver.hasNext) {",
    invariant: "message-balance",
  },
  "a leaked resident": {
    // A key that crashed once never goes.
    file: keyPassivation,
    right: "if (nowMs >= dueMs && isIdle(slot)) this.passivate(slot);",
    wrong: "if (nowMs >= dueMs && isIdle(slot) && slot.window === undefined) this.passivate(slot);",
    invariant: "keys-are-served",
  },
  "a key that hangs while it goes keeps others from being asked": {
    file: "core/supervision/keyed/key-places.ts",
    right: "if (slot.isPassivating && nowMs < slot.askedAtMs + roomCheckMs) wantedCount -= 1;",
    wrong: "if (slot.isPassivating) wantedCount -= 1;",
    invariant: "keys-are-served",
  },
};

const pools = "core/supervision/pool";

const plantsInPools: { readonly [bug: string]: Planted } = {
  "a member that takes two messages at once": {
    file: "core/tree/pool-spec.ts",
    right: "const memberOptions = { ...agentOptions,",
    wrong: "const memberOptions = { ...agentOptions, concurrency: 2,",
    also: {
      file: `${pools}/pool-member.ts`,
      right: "if (concurrency > 1) {",
      wrong: "if (concurrency > 2) {",
    },
    invariant: "one-incarnation",
  },
  "a member that takes two messages and handles one": {
    file: `${pools}/pool-queue.ts`,
    right: "if (assignment !== undefined) return assignment.message;",
    wrong: "if (assignment !== undefined) { this.#next(); return assignment.message; }",
    invariant: "message-balance",
  },
  "a message that two members take": {
    // A member that is asked for something else gives back what it was called for, and begins it all the same.
    file: `${pools}/pool-member.ts`,
    right: "this.#assigned = undefined;\n    return assigned;",
    wrong: "return assigned;",
    invariant: "message-order",
  },
  "a member that is not called when it is free": {
    file: `${pools}/pool-queue.ts`,
    right: "this.#becomeFree(member);\n    this.handOut();",
    wrong: "this.#becomeFree(member);",
    invariant: "pools-serve",
  },
  "a pool that does not shrink": {
    file: `${pools}/pool.ts`,
    right: "if (longest !== undefined) this.#armShrink(longest.sinceMs);",
    wrong: "",
    invariant: "pools-scale",
  },
};

const ledger = "core/llm/budgets/budget-ledger.ts";

const plantsInBudgets: { readonly [bug: string]: Planted } = {
  "calls that begin together and all pass": {
    file: ledger,
    right: "spentTokens + this.#reservedTokens))",
    wrong: "spentTokens))",
    invariant: "budgets-hold",
  },
  "an answer that is not counted": {
    file: ledger,
    right: "spentTokens: spentTokens + used.tokens,\n      callCount: callCount + 1,",
    wrong: "spentTokens,\n      callCount: callCount + 1,",
    invariant: "ledgers-agree",
  },
};

function findPlanted(bugs: { readonly [bug: string]: Planted }, tree: MakeTree): void {
  for (const [bug, { invariant, ...plant }] of Object.entries(bugs)) {
    test(`${bug} is found within 1000 seeds`, async (context) => {
      const kernel = await plantedKernel(bug.replaceAll(" ", "-"), plant);
      const report = await firstFailure(kernel, { tree, invariant });
      assert.ok(report?.violation, "1000 seeds and nothing was found");
      context.diagnostic(`seed ${report.seed}: ${report.violation.reason}`);
    });
  }
}

findPlanted(plants, treeOf);
findPlanted(plantsAmongKeys, keysOf);
findPlanted(plantsInPools, poolsOf);
findPlanted(plantsInBudgets, budgetsOf);

test("in the kernel as it is, the same seeds find nothing", async () => {
  const kernel = await plantedKernel("as-it-is", undefined);
  // All that were found were found in fewer.
  assert.equal(await firstFailure(kernel, { tree: treeOf, seedCount: 400 }), undefined);
  assert.equal(await firstFailure(kernel, { tree: keysOf, seedCount: 100 }), undefined);
  assert.equal(await firstFailure(kernel, { tree: poolsOf, seedCount: 100 }), undefined);
  assert.equal(await firstFailure(kernel, { tree: budgetsOf, seedCount: 100 }), undefined);
});
