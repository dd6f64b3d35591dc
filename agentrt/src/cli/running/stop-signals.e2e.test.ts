import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { startProgram } from "testkit";

test("waitForStopSignal() keeps a process alive that has nothing else to do, until it is released", async () => {
  const script = `
    const { waitForStopSignal } = await import(${JSON.stringify(new URL("stop-signals.ts", import.meta.url).href)});
    const wait = waitForStopSignal({}, () => undefined);
    process.once("beforeExit", () => console.log("nothing to do"));
    setTimeout(() => console.log("ready"), 1);
    console.log(await wait.promise);
    wait.release();
  `;
  await using program = startProgram(process.execPath, ["--input-type=module", "-e", script]);
  await program.waitFor(/ready/);
  program.kill("SIGTERM");
  const exit = await program.exited();
  assert.equal(exit.code, 0, exit.stderr);
  assert.equal(exit.stdout, "ready\nSIGTERM\nnothing to do\n");
});
