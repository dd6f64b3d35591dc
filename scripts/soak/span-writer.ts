/** The writer of the soak `telemetry`: so many spans a second, and a line for each batch that was answered. */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { SqliteExporter } from "agentrt/telemetry";
import { makeSpans, spanSystem } from "./span-source.ts";

const [directory = "", log = "", perSecond = "20000"] = process.argv.slice(2);
const batchLength = 1000;
const exporter = new SqliteExporter({ directory });
await exporter.open({ system: spanSystem(), log: undefined as never });
process.stdout.write("started\n");

let answeredCount = 0;
let blockedMs = 0;
let turnedAtMs = performance.now();
// How long the loop was held by anything of this program: the thread's work must not be in it.
setInterval(() => {
  const nowMs = performance.now();
  blockedMs = Math.max(blockedMs, nowMs - turnedAtMs - 10);
  turnedAtMs = nowMs;
}, 10);
const begunAtMs = performance.now();
for (;;) {
  const dueCount = ((performance.now() - begunAtMs) / 1000) * Number(perSecond);
  if (answeredCount + batchLength > dueCount) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    continue;
  }
  await exporter.export(makeSpans(batchLength, () => Date.now()));
  answeredCount += batchLength;
  appendFileSync(log, `${answeredCount} ${blockedMs.toFixed(1)}\n`);
  blockedMs = 0;
}
