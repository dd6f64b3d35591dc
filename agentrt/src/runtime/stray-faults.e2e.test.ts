/** Faults that nobody catches, in the middle of streams and spawns. In processes of their own: a test runner takes them for its own. */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, overAgentrt, runProgram } from "testkit";

const imports = `import { Agent, child, createTextLog, dynamicSupervisor, Runtime, supervisor } from "agentrt";`;

async function run(source: string) {
  using folder = createTemporaryFolder({ "program.ts": overAgentrt(`${imports}\n${source}`) });
  return await runProgram(process.execPath, ["program.ts"], { workingDirectory: folder.path });
}

test("a rejection that nobody awaits, in a producer, ends its stream at once, and its finally still runs", async () => {
  const { code, stdout, stderr } = await run(`
    let fail: () => void = () => {};
    let isOver = false;
    class Tap extends Agent {
      override onStart() {
        // Nobody awaits it: its rejection is a fault of this agent.
        void new Promise<void>((_, reject) => { fail = () => reject(new Error("background")); }).then(() => {});
      }
      override async *handle() {
        try {
          for (let n = 0; ; n += 1) yield { n };
        } finally {
          console.log("finally");
          isOver = true;
        }
      }
    }
    const log = createTextLog({ write: () => {} });
    const runtime = new Runtime({ log, supervision: supervisor("root", { children: [child(Tap, "tap")] }) });
    await runtime.start();
    try {
      for await (const chunk of runtime.stream("tap", {})) {
        if (chunk["n"] !== 0) continue;
        console.log(JSON.stringify(chunk));
        fail();
      }
    } catch (error) {
      console.log((error as { code: string }).code);
    }
    while (!isOver) await new Promise((resolve) => setImmediate(resolve));
    await runtime.stop();
  `);
  assert.equal(code, 0, stderr);
  const lines = stdout.trim().split("\n");
  assert.deepEqual(lines.toSorted(), ["AGENTRT_AGENT_CRASHED", "finally", '{"n":0}'], stderr);
});

test("what a spawn hook leaves behind and nobody catches is logged, and ends nothing", async () => {
  const { code, stdout, stderr } = await run(`
    class Worker extends Agent {
      override handle() { return {}; }
    }
    const runtime = new Runtime({
      log: createTextLog({ write: (line) => void process.stdout.write(line) }),
      supervision: supervisor("root", {
        children: [
          dynamicSupervisor("pool", {
            onSpawnRequested: () => {
              void Promise.reject(new Error("left behind"));
              return true;
            },
          }),
        ],
      }),
    });
    await runtime.start();
    const { isReady } = await runtime.spawn(Worker, "w");
    await new Promise((resolve) => setImmediate(resolve));
    console.log("ready", isReady);
    await runtime.stop();
  `);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /ready true/);
  assert.match(stdout, /onSpawnRequested failed .*left behind/);
});
