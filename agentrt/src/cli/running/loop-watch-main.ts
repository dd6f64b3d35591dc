/** The thread that watches the event loop of a run. It reads no clock: its waits are those for the next beat. */
import { writeSync } from "node:fs";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { type LoopWatchData, reportName } from "./loop-watch-data.ts";

const { beats, isJson, launcherPid } = workerData as LoopWatchData;
const patienceMs = 1_000;
/** Waits until a call that cannot be interrupted, into a database or the system, is reported from here. */
const silentWaitCount = 2;
/** A loop that stays blocked for so many waits after its launcher has gone does not hear of a stop any more. */
const orphanWaitCount = 5;
const silentText =
  "the event loop is blocked by a call that cannot be interrupted: agents, signals and sockets wait";

// Keeps the thread alive: nothing else here does.
parentPort?.on("message", () => undefined);
void watch();

async function watch(): Promise<void> {
  let waitCount = 0;
  let orphanedWaitCount: number | undefined;
  let question: { isAnswered: boolean } | undefined;
  for (;;) {
    const wait = Atomics.waitAsync(beats, 0, Atomics.load(beats, 0), patienceMs);
    const outcome = wait.async ? await wait.value : wait.value;
    waitCount = outcome === "timed-out" ? waitCount + 1 : 0;
    if (waitCount === 1) question = askWhoBlocks();
    if (waitCount === silentWaitCount && question?.isAnswered === false) tellBlocked();
    if (orphanedWaitCount !== undefined) {
      orphanedWaitCount = waitCount === 0 ? 0 : orphanedWaitCount + 1;
      if (orphanedWaitCount >= orphanWaitCount) process.kill(process.pid, "SIGKILL");
    } else if (launcherPid !== undefined && process.ppid !== launcherPid) {
      orphanedWaitCount = 0;
      process.kill(process.pid, "SIGTERM"); // The run stops as for any other signal, if it hears of it.
    }
  }
}

/** Interrupts the main thread's code, which then logs who it is. A call out of JavaScript is not interrupted. */
function askWhoBlocks(): { isAnswered: boolean } {
  const question = { isAnswered: false };
  // Loaded only when it is needed: it takes memory.
  const { Session } = process.getBuiltinModule("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  const expression = `globalThis[Symbol.for(${JSON.stringify(reportName)})]?.()`;
  session.post("Runtime.evaluate", { expression }, () => {
    question.isAnswered = true;
    session.disconnect();
  });
  return question;
}

function tellBlocked(): void {
  const line = isJson
    ? JSON.stringify({ level: "warn", message: silentText })
    : `warn  ${silentText}`;
  writeSync(2, `${line}\n`);
}
