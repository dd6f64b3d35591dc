import assert from "node:assert/strict";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { SqliteExporter } from "agentrt/telemetry";
import { agentrtLauncher, runProgram } from "testkit";
import { makeSpans, spanSystem } from "./span-source.ts";

const million = 1_000_000;
const dayMs = 86_400_000;
const batchLength = 5000;
/** How long a folder that was filled is as good as a new one. */
const keptMs = 600_000;
/** Of processor time: on a machine that others use the clock says more of them. */
const viewSecondsMax = 10;
/** With what Node and the program itself take. */
const residentBytesMax = 400e6;

/**
 * Fills a folder with so many million spans of 30 days, most of them of keys, each of which has few, and looks at it by
 * `agentrt telemetry --once`. The folder is below the folder for temporary files: a run within ten minutes takes what is there.
 *
 * @param millions How many million spans.
 * @returns What was done, with figures.
 * @throws Error that says which view took too long, or too much memory.
 */
export async function soakTelemetryView(millions: number): Promise<string> {
  const directory = join(tmpdir(), `agentrt-telemetry-view-${millions}m`);
  // Spans of the last hour must be there.
  const isFresh = existsSync(directory) && Date.now() - statSync(directory).mtimeMs < keptMs;
  if (!isFresh) await fill(directory, millions * million);
  const sizeBytes = readdirSync(directory).reduce(
    (sum, name) => sum + statSync(join(directory, name)).size,
    0,
  );
  const views: string[] = [];
  for (const range of ["1h", "24h", "30d"]) views.push(await look(directory, range));
  const size = `${millions} million spans in ${Math.round(sizeBytes / 1e6)} MB`;
  return `telemetry-view: ${size}: ${views.join("; ")}`;
}

async function fill(directory: string, count: number): Promise<void> {
  const draft = `${directory}.making`;
  rmSync(draft, { recursive: true, force: true });
  const exporter = new SqliteExporter({ directory: draft });
  await exporter.open({ system: spanSystem(), log: undefined as never });
  const toMs = Date.now();
  const fromMs = toMs - 30 * dayMs;
  for (let made = 0; made < count; made += batchLength) {
    const at = (index: number): number => fromMs + ((made + index) / count) * (toMs - fromMs);
    const spans = makeSpans(batchLength, at).map((span, index) => {
      // One trace of a hundred is of an agent, the others each of a key.
      const trace = Math.floor((made + index) / 4);
      if (trace % 100 === 0) return span;
      const key = `ticket/${Math.imul(trace, 0x9e3779b1) >>> 12}`;
      return { ...span, attributes: { ...span.attributes, "agentrt.agent.name": key } };
    });
    await exporter.export(spans);
    if (made % million === 0) process.stderr.write(`  ${made} of ${count} spans\n`);
  }
  await exporter.shutdown();
  rmSync(directory, { recursive: true, force: true });
  renameSync(draft, directory);
}

/** @returns What a view took of the processor and of memory, with the start of the program. */
async function look(directory: string, range: string): Promise<string> {
  const report =
    "process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); " +
    "process.stderr.write(`used ${userCPUTime + systemCPUTime} ${maxRSS}\\n`); })";
  const words = ["telemetry", directory, "--once", "--since", range];
  const found = await runProgram(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(report)}`, agentrtLauncher(), ...words],
    { timeoutMs: 600_000 },
  );
  assert.equal(found.code, 0, found.stderr);
  const [, used = "", resident = ""] = /^used (\d+) (\d+)$/m.exec(found.stderr) ?? [];
  const seconds = Number(used) / 1e6;
  const residentBytes = Number(resident) * 1024;
  const text = `${range} ${seconds.toFixed(1)} s of processor time, ${Math.round(residentBytes / 1e6)} MB`;
  assert.ok(seconds < viewSecondsMax && residentBytes < residentBytesMax, text);
  return text;
}
