/**
 * `npm run scaling [-- --measure] [--write] [--most=COUNT]`: says how calls a second and the time of a join grow with the
 * workers of a process group. With `--measure` the benches `agentrt-scale-*` run first, which takes some 15 minutes on a machine
 * that has nothing else to do; without, the newest results are read. Then the supervisor and the workers are simulated: their
 * real code under a virtual clock, with the processor time that messages and handlers were measured to take with one worker. It
 * prints measured and simulated rates of 1, 2 and 4 workers on the cores of this machine, and what is simulated up to `--most`
 * workers (default 1000), each on a separate machine. `--write` puts the tables into the guide. Exit 1: a simulated rate of
 * calls from the supervisor's process is more than 20 % off the measured one, or one is not measured.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { benches, Measured } from "./scaling/measured.ts";
import { costLines, growingJoins, growingRates, measuredRates } from "./scaling/tables.ts";

const { values } = parseArgs({
  options: { measure: { type: "boolean" }, write: { type: "boolean" }, most: { type: "string" } },
});
const repository = fileURLToPath(new URL("..", import.meta.url));
const guidePath = fileURLToPath(new URL("../agentrt/docs/guides/scaling.md", import.meta.url));
/** Most that a simulated rate may be off a measured one, of that. */
const errorMax = 0.2;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (values.measure === true) {
  const { status } = spawnSync(process.execPath, ["scripts/bench.mjs", ...benches], {
    cwd: repository,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 2);
}
// Each simulated process listens for the faults of this one.
process.setMaxListeners(0);
const measured = new Measured(`${repository}/bench/results`);
// What a message costs is in these; without them nothing can be simulated.
const lacking = benches.filter((bench) => !measured.has(bench));
if (lacking.some((bench) => !bench.endsWith("-compute"))) {
  say(`nothing is measured by ${lacking.join(", ")}: run with --measure first`);
  process.exit(1);
}
const workerCountMax = Number(values.most ?? 1000);
const tables = new Map<string, readonly string[]>();

function print(name: string, lines: readonly string[]): void {
  tables.set(name, lines);
  say(`\n${lines.join("\n")}`);
}

const {
  worst,
  worstForwarded,
  isWhole,
  lines: rates,
} = await measuredRates(measured, availableParallelism());
print("costs", costLines(measured));
print("measured", rates);
const percent = (share: number): string => `${Math.round(share * 100)} %`;
say(`\nfarthest off: ${percent(worst)}; at most ${percent(errorMax)} are asked`);
say(`calls from another worker: ${percent(worstForwarded)}`);
print("rates", await growingRates(measured, workerCountMax));
print("joins", await growingJoins(measured, workerCountMax, availableParallelism()));
if (values.write === true) {
  let guide = readFileSync(guidePath, "utf8");
  for (const [name, lines] of tables) {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
    const from = guide.indexOf(begin) + begin.length;
    guide = `${guide.slice(0, from)}${lines.join("\n")}${guide.slice(guide.indexOf(end))}`;
  }
  writeFileSync(guidePath, guide);
}
if (!isWhole) say(`\nnot measured: ${lacking.join(", ")}`);
process.exit(worst <= errorMax && isWhole ? 0 : 1);
