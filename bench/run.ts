/**
 * `npm run bench -- <name>… [--quick] [--only=<contender>,…]`: runs benches and prints, per contender, the median
 * rate and its spread, and then one line a comparison: `ratio <bench> <rival> <median> <min>-<max>`, ours over the
 * rival's rate, so above 1 is faster. Contenders are interleaved: every round runs each once, in rotating order, each
 * in a fresh process. Without names, lists the benches. Raw rows and a summary go to
 * `bench/results/<date>-<machine>/`, not with `--quick`.
 *
 * With `--against=<checkout> [--rounds=<count>]` ours is measured in turn with ours of another checkout of this
 * repository, 15 rounds unless said otherwise, and the line holds the median ratio and its interval of 95 %.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, globSync, mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compareWith, obstacleIn, sampleInChild } from "./against.ts";
import type { Bench, Contender, Sample } from "./bench.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const notBenches = new Set(["against.ts", "bench.ts", "run.ts"]);

interface Row {
  readonly bench: string;
  readonly contender: string;
  readonly round: number;
  readonly operationCount: number;
  readonly seconds: number;
  readonly rate: number;
  readonly figures?: Sample["figures"];
  readonly latenciesMs?: Sample["latenciesMs"];
}

function benchNames(): string[] {
  return globSync("*.ts", { cwd: folder })
    .filter((file) => !notBenches.has(file) && !file.endsWith(".test.ts"))
    .map((file) => basename(file, ".ts"))
    .sort();
}

async function loadBench(name: string): Promise<Bench> {
  const module = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as { bench: Bench };
  return module.bench;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function format(rate: number, unit: string): string {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(2)} M/${unit}`;
  if (rate >= 1e4) return `${(rate / 1e3).toFixed(1)} k/${unit}`;
  return `${rate.toFixed(1)} /${unit}`;
}

async function ready(contender: Contender): Promise<boolean> {
  const obstacle = await contender.prepare?.();
  if (obstacle === undefined) return true;
  process.stdout.write(`  ${contender.name}: not run: ${obstacle}\n`);
  return false;
}

async function runBench(
  name: string,
  options: { isQuick: boolean; only: readonly string[] },
): Promise<string[]> {
  const bench = await loadBench(name);
  process.stdout.write(`${name}: ${bench.question}\n`);
  const contenders: Contender[] = [];
  for (const contender of bench.contenders) {
    const isWanted =
      contender === bench.contenders[0] ||
      options.only.length === 0 ||
      options.only.includes(contender.name);
    if (isWanted && (await ready(contender))) contenders.push(contender);
  }
  const roundCount = options.isQuick ? 3 : (bench.roundCount ?? 7);
  const rows: Row[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    for (let index = 0; index < contenders.length; index += 1) {
      const contender = contenders[(index + round) % contenders.length];
      if (contender === undefined) continue;
      const { isQuick } = options;
      const sample = sampleInChild({ bench: name, contender: contender.name, isQuick });
      rows.push({
        bench: name,
        contender: contender.name,
        round,
        ...sample,
        rate: sample.operationCount / sample.seconds,
      });
    }
    process.stderr.write(`  round ${round + 1} of ${roundCount} done\n`);
  }
  const lines = summarize(name, { bench, contenders, rows });
  if (!options.isQuick) writeResults(name, rows, lines);
  return lines.filter((line) => line.startsWith("ratio "));
}

/** Ours compared with ours of another checkout; `--only` names other contenders than the first. */
async function runAgainst(
  name: string,
  checkout: string,
  options: { isQuick: boolean; only: readonly string[]; roundCount: number },
): Promise<string[]> {
  const bench = await loadBench(name);
  process.stdout.write(`${name}: ${bench.question}\n`);
  const wanted = bench.contenders.filter((contender, index) =>
    options.only.length === 0 ? index === 0 : options.only.includes(contender.name),
  );
  const lines: string[] = [];
  for (const contender of wanted) {
    if (!(await ready(contender))) continue;
    const sampled = { bench: name, contender: contender.name, isQuick: options.isQuick };
    const { median, interval } = compareWith(checkout, sampled, options.roundCount);
    lines.push(
      `ratio ${name} ${contender.name} ${median.toFixed(3)} ${interval.map((end) => end.toFixed(3)).join("-")} (95 %, ${options.roundCount} rounds)`,
    );
  }
  return lines;
}

/** What a bench measured, of which contenders. */
interface Measured {
  readonly bench: Bench;
  readonly contenders: readonly Contender[];
  readonly rows: readonly Row[];
}

function summarize(name: string, { bench, contenders, rows }: Measured): string[] {
  const ratesOf = (contender: string): number[] =>
    rows.filter((row) => row.contender === contender).map((row) => row.rate);
  const shown = (rate: number): string => format(rate, bench.perUnit ?? "s");
  const lines = contenders.flatMap((contender) => {
    const rates = ratesOf(contender.name);
    const line = `  ${contender.name.padEnd(12)} median ${shown(median(rates)).padStart(12)} ${bench.operation}s  (${shown(Math.min(...rates))} to ${shown(Math.max(...rates))}, ${rates.length} rounds)`;
    const own = rows.filter((row) => row.contender === contender.name);
    return [line, ...figureLines(own), ...latencyLines(own)];
  });
  const ours = ratesOf(bench.contenders[0].name);
  for (const contender of contenders.slice(1)) {
    const ratios = ratesOf(contender.name).map((rate, round) => (ours[round] ?? Number.NaN) / rate);
    lines.push(
      `ratio ${name} ${contender.name} ${median(ratios).toFixed(2)} ${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    );
  }
  lines.push(...yardstickLines(name, { bench, contenders, rows }));
  for (const line of lines) if (!line.startsWith("ratio ")) process.stdout.write(`${line}\n`);
  return lines;
}

/** How much longer than the yardstick each contender takes for each kind of operation: median, least and most of the rounds. */
function yardstickLines(name: string, { bench, contenders, rows }: Measured): string[] {
  const { yardstick } = bench;
  const medianOf = (contender: string, round: number, kind: string): number => {
    const row = rows.find((each) => each.contender === contender && each.round === round);
    return median(row?.latenciesMs?.[kind] ?? []);
  };
  const own = rows.filter(({ contender }) => contender === yardstick);
  return contenders
    .filter((contender) => own.length > 0 && contender.name !== yardstick)
    .flatMap((contender) =>
      Object.keys(own[0]?.latenciesMs ?? {}).map((kind) => {
        const ratios = own.map(
          ({ round }) =>
            medianOf(contender.name, round, kind) / medianOf(yardstick ?? "", round, kind),
        );
        return `ratio ${name} time of ${contender.name} over ${yardstick}, ${kind}: ${median(ratios).toFixed(2)} ${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
      }),
    );
}

/** The medians of what else was measured. */
function figureLines(rows: readonly Row[]): string[] {
  return Object.keys(rows[0]?.figures ?? {}).map((name) => {
    const values = rows.map((row) => row.figures?.[name] ?? Number.NaN);
    return `    ${name.padEnd(32)} ${median(values).toFixed(1).padStart(9)}  (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`;
  });
}

/** A line for each kind of operation whose times were measured, those of all rounds taken together. */
function latencyLines(rows: readonly Row[]): string[] {
  const byKind = new Map<string, number[]>();
  for (const { latenciesMs = {} } of rows)
    for (const [kind, values] of Object.entries(latenciesMs))
      byKind.set(kind, [...(byKind.get(kind) ?? []), ...values]);
  if (byKind.size > 1) byKind.set("all", [...byKind.values()].flat());
  return [...byKind].map(([kind, values]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share: number): string =>
      `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1)} ms`;
    return `    ${kind.padEnd(10)} median ${median(values).toFixed(1)} ms, p95 ${at(0.95)}, p99 ${at(0.99)} (${at(0)} to ${at(1)}, ${values.length} times)`;
  });
}

function writeResults(name: string, rows: readonly Row[], lines: readonly string[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const target = join(
    folder,
    "results",
    `${date}-${process.platform}-${process.arch}-${availableParallelism()}cpu`,
  );
  mkdirSync(target, { recursive: true });
  rmSync(join(target, `${name}.jsonl`), { force: true });
  rmSync(join(target, `${name}.txt`), { force: true });
  for (const row of rows) appendFileSync(join(target, `${name}.jsonl`), `${JSON.stringify(row)}\n`);
  const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: folder,
    encoding: "utf8",
  }).stdout.trim();
  appendFileSync(
    join(target, `${name}.txt`),
    `commit ${commit}, Node ${process.versions.node}\n${lines.join("\n")}\n`,
  );
}

async function sample(name: string, contenderName: string, isQuick: boolean): Promise<void> {
  const bench = await loadBench(name);
  const contender = bench.contenders.find((candidate) => candidate.name === contenderName);
  if (contender === undefined) throw new Error(`${name} has no contender ${contenderName}`);
  const result = await contender.run({ isQuick });
  process.stdout.write(`sample ${JSON.stringify(result)}\n`);
  process.exit(0);
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const optionOf = (name: string): string | undefined =>
    args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
  const isQuick = args.includes("--quick");
  const sampled = optionOf("sample");
  if (sampled !== undefined) {
    await sample(sampled, optionOf("contender") ?? "", isQuick);
    return 0;
  }
  const known = benchNames();
  const names = args
    .filter((argument) => !argument.startsWith("--"))
    .map((name) => name.replace(/^bench\//, ""));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    if (unknown !== undefined) process.stderr.write(`bench: there is no bench "${unknown}"\n`);
    process.stdout.write(
      "usage: npm run bench -- <name>… [--quick] [--only=<contender>,…] [--against=<checkout> [--rounds=<count>]]\n\n",
    );
    for (const name of known)
      process.stdout.write(`  ${name.padEnd(16)} ${(await loadBench(name)).question}\n`);
    return unknown === undefined ? 0 : 2;
  }
  const only = optionOf("only")?.split(",") ?? [];
  const against = optionOf("against");
  const checkout = against === undefined ? undefined : resolve(against);
  const obstacle = checkout === undefined ? undefined : obstacleIn(checkout);
  if (obstacle !== undefined) {
    process.stderr.write(`bench: ${obstacle}\n`);
    return 2;
  }
  const roundCount = Math.max(6, Number(optionOf("rounds") ?? 15) || 15);
  for (const name of names) {
    const ratios =
      checkout === undefined
        ? await runBench(name, { isQuick, only })
        : await runAgainst(name, checkout, { isQuick, only, roundCount });
    // At once: who ends a long run has what was measured.
    for (const line of ratios) process.stdout.write(`${line}\n`);
  }
  return 0;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
