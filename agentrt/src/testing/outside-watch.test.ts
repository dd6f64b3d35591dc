import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Agent, child, supervisor, type AgentClass } from "../core/index.ts";
import { explore } from "./index.ts";

async function found(agentClass: AgentClass) {
  const supervision = supervisor("root", { children: [child(agentClass, "agent")] });
  return (await explore({ supervision, seed: 1, isCalm: true })).outsideUse;
}

test("explore() gives a run up whose agent waits for the real world, and says who, what and where", async () => {
  class Reads extends Agent {
    override async handle() {
      return { text: await readFile(import.meta.filename, "utf8") };
    }
  }
  const use = await found(Reads);
  assert.deepEqual([use?.agent, use?.what], ["agent", "the real world: a file"]);
  assert.match(use?.where ?? "", /outside-watch\.test\.ts:17:\d+$/);

  class Waits extends Agent {
    override async onStart() {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }

    override handle(): void {}
  }
  assert.match((await found(Waits))?.what ?? "", /a timer of the real clock/);

  class Fetches extends Agent {
    override async handle() {
      await fetch("http://127.0.0.1:18999/").catch(() => undefined);
    }
  }
  assert.match((await found(Fetches))?.what ?? "", /a network connection/);
});

test("explore() names an agent that waits for what nobody settles", async () => {
  class Never extends Agent {
    override async handle() {
      await new Promise(() => undefined);
    }
  }
  assert.deepEqual(await found(Never), {
    agent: "agent",
    what: 'a promise that nothing in the tree settles, for a message of type "message"',
    where: "handle",
  });
});

test("explore() takes no offence at what ends before it returns, at yields, and at a hang with a time-out", async () => {
  class Fine extends Agent {
    override async handle() {
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => process.nextTick(resolve));
      const sizeBytes = gzipSync("x").length;
      return { sizeBytes, hash: createHash("sha256").update("x").digest("hex") };
    }
  }
  assert.equal(await found(Fine), undefined);

  class Hangs extends Agent {
    constructor(name: string, options: object = {}) {
      super(name, { ...options, handleTimeoutMs: 100 });
    }

    override async handle() {
      await new Promise(() => undefined);
    }
  }
  assert.equal(await found(Hangs), undefined);
});
