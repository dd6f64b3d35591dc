import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { SpanReader, SqliteExporter } from "agentrt/telemetry";
import { createTemporaryFolder, startProgram } from "testkit";
import { makeSpans, spanSystem } from "./span-source.ts";

const writer = fileURLToPath(new URL("./span-writer.ts", import.meta.url));
const dayMs = 86_400_000;
/** Of processor time: on a machine that others use the clock says more of them. */
const chartMsMax = 300;
const spansPerSecond = 20_000;
const storedCountMax = 10_000_000;

/**
 * Writes spans at 20 000 a second into SQLite files while readers ask for charts, kills the writer in the middle, and
 * looks: every batch that was answered is there, the files are whole, the sums agree. Then it fills 30 days with up to ten
 * million spans and times the charts.
 *
 * @param seconds How long spans are written; with 60 there are ten million in the second part, with fewer in proportion.
 * @returns What was done, with figures.
 * @throws Error that says what was lost, or which chart took too long.
 */
export async function soakTelemetry(seconds: number): Promise<string> {
  using folder = createTemporaryFolder();
  const written = await writeAndKill(join(folder.path, "killed"), seconds);
  const storedCount = Math.min(storedCountMax, Math.round((storedCountMax / 60) * seconds));
  const charts = await timeCharts(join(folder.path, "month"), storedCount);
  return `telemetry: ${written}; ${charts}`;
}

async function writeAndKill(directory: string, seconds: number): Promise<string> {
  const log = `${directory}.log`;
  const args = ["--conditions=agentrt-source", writer, directory, log, String(spansPerSecond)];
  await using program = startProgram(process.execPath, args, { timeoutMs: 600_000 });
  await program.waitFor(/^started$/m);
  const endMs = performance.now() + seconds * 1000;
  let readCount = 0;
  let slowestMs = 0;
  while (performance.now() < endMs) {
    // Each look is that of a program that has just been started.
    const beginMs = performance.now();
    using reader = new SpanReader(directory);
    const span = { fromMs: Date.now() - dayMs, toMs: Date.now() + dayMs };
    reader.spansByHour(span);
    reader.costByHour(span);
    reader.recentSpans(200);
    slowestMs = Math.max(slowestMs, performance.now() - beginMs);
    readCount += 1;
    await rest(50);
  }
  program.kill("SIGKILL");
  await program.exited();
  const lines = readFileSync(log, "utf8").split("\n");
  const answeredCount = Number(lines.at(-2)?.split(" ")[0] ?? 0);
  const blockedMs = Math.max(...lines.map((line) => Number(line.split(" ")[1] ?? 0)));
  const storedCount = verify(directory);
  assert.ok(storedCount >= answeredCount, `${answeredCount} answered, ${storedCount} there`);
  const perSecond = Math.round(answeredCount / seconds);
  return (
    `${perSecond} spans/s for ${seconds} s, loop held at most ${Math.round(blockedMs)} ms, ` +
    `${readCount} looks of at most ${Math.round(slowestMs)} ms; killed, ${answeredCount} answered, none lost`
  );
}

/** @returns How many spans there are, in files that are whole and whose sums agree. */
function verify(directory: string): number {
  let count = 0;
  for (const name of readdirSync(directory).filter((each) => each.endsWith(".db"))) {
    using database = new DatabaseSync(join(directory, name));
    const check = database.prepare("PRAGMA integrity_check").get();
    assert.equal(check?.["integrity_check"], "ok", name);
    const spans = database.prepare("SELECT COUNT(*) AS count FROM spans").get();
    const sums = database.prepare("SELECT SUM(span_count) AS count FROM span_hours").get();
    assert.equal(Number(spans?.["count"]), Number(sums?.["count"] ?? 0), `the sums of ${name}`);
    count += Number(spans?.["count"]);
  }
  return count;
}

async function timeCharts(directory: string, storedCount: number): Promise<string> {
  const toMs = Date.now();
  const fromMs = toMs - 30 * dayMs;
  const exporter = new SqliteExporter({ directory });
  await exporter.open({ system: spanSystem(), log: undefined as never });
  const batchLength = 5000;
  for (let count = 0; count < storedCount; count += batchLength) {
    const length = Math.min(batchLength, storedCount - count);
    const at = (index: number): number =>
      fromMs + ((count + index) / storedCount) * (toMs - fromMs);
    await exporter.export(makeSpans(length, at));
    if (count % 1_000_000 === 0) process.stderr.write(`  ${count} of ${storedCount} spans\n`);
  }
  await exporter.shutdown();
  const sizeBytes = readdirSync(directory).reduce(
    (sum, name) => sum + statSync(join(directory, name)).size,
    0,
  );
  const span = { fromMs, toMs };
  const timed = (look: (reader: SpanReader) => { readonly length: number }): Timed => {
    const runs = Array.from({ length: 5 }, () => {
      const beginMs = performance.now();
      const before = process.cpuUsage();
      using reader = new SpanReader(directory);
      const pointCount = look(reader).length;
      const { user, system } = process.cpuUsage(before);
      return { pointCount, ms: performance.now() - beginMs, cpuMs: (user + system) / 1000 };
    });
    const largest = (name: "ms" | "cpuMs"): number => Math.max(...runs.map((run) => run[name]));
    return { pointCount: runs[0]?.pointCount ?? 0, ms: largest("ms"), cpuMs: largest("cpuMs") };
  };
  const charts = {
    "spans by hour and agent": timed((reader) => reader.spansByHour(span)),
    "cost by hour, agent and model": timed((reader) => reader.costByHour(span)),
  };
  const texts = Object.entries(charts).map(([chart, { pointCount, ms, cpuMs }]) => {
    assert.ok(cpuMs < chartMsMax, `${chart} of ${storedCount} spans took ${Math.round(cpuMs)} ms`);
    return `${chart} ${Math.round(cpuMs)} ms of processor time, ${Math.round(ms)} ms (${pointCount} points)`;
  });
  const size = `${storedCount} spans over 30 days in ${Math.round(sizeBytes / 1e6)} MB`;
  return `${size}: ${texts.join(", ")}`;
}

interface Timed {
  readonly pointCount: number;
  /** The slowest of five, by the clock and of processor time. */
  readonly ms: number;
  readonly cpuMs: number;
}

function rest(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}
