/**
 * Records what a tool prints as a fixture of `codetool/src/reports/fixtures/`:
 *
 *   node scripts/record-report.ts <tool> <case> [--version <text>] [--json <file>] -- <command> [arguments]
 *
 * It runs the command here, as `codetool run` would, and writes `<case>.txt` (both streams in their order; where both
 * have something, `<case>.stdout.txt` and `<case>.stderr.txt` too) and a row of `cases.json` with the command, its exit
 * code and the tool's version. The working directory becomes `/project`, the home `/home/user`. `--json` keeps a file that
 * the tool wrote, its own report, next to it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runProcess } from "../codetool/src/processes/index.ts";

const fixtures = fileURLToPath(new URL("../codetool/src/reports/fixtures", import.meta.url));

interface Case {
  readonly name: string;
  readonly argv: readonly string[];
  readonly version: string;
  readonly exitCode: number | null;
  readonly native?: string;
}

const end = process.argv.indexOf("--");
const [tool = "", name = "", ...flags] = process.argv.slice(2, end);
const argv = process.argv.slice(end + 1);
const flag = (wanted: string): string | undefined => flags[flags.indexOf(wanted) + 1];
const folder = join(fixtures, tool);
const clean = (text: string): string =>
  text
    .replaceAll(`/private${process.cwd()}`, "/project")
    .replaceAll(process.cwd(), "/project")
    .replaceAll(join(process.cwd(), ".."), "/work")
    .replaceAll(homedir(), "/home/user")
    .replaceAll(new RegExp(`\\b${hostname()}\\b`, "g"), "host");

const ended = await runProcess({
  argv,
  workingDirectory: process.cwd(),
  environment: process.env,
  standardInput: "closed",
  timeoutMs: 600_000,
});
if (!ended.isStarted) throw new Error(ended.message);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, `${name}.txt`), clean(ended.combined.text));
if (ended.stdout.text !== "" && ended.stderr.text !== "") {
  writeFileSync(join(folder, `${name}.stdout.txt`), clean(ended.stdout.text));
  writeFileSync(join(folder, `${name}.stderr.txt`), clean(ended.stderr.text));
}
const native = flags.includes("--json") ? `${name}.native.json` : undefined;
if (native !== undefined)
  writeFileSync(join(folder, native), clean(readFileSync(flag("--json") ?? "", "utf8")));
const casesPath = join(folder, "cases.json");
const before = existsSync(casesPath) ? (JSON.parse(readFileSync(casesPath, "utf8")) as Case[]) : [];
const version = flags.includes("--version")
  ? (flag("--version") ?? "")
  : (before[0]?.version ?? "");
const row: Case = {
  name,
  argv: argv.map(clean),
  version,
  exitCode: ended.exitCode,
  ...(native === undefined ? {} : { native }),
};
const rows = [...before.filter((each) => each.name !== name), row];
writeFileSync(casesPath, `${JSON.stringify(rows, null, 2)}\n`);
process.stdout.write(
  `${tool}/${name}: exit ${String(ended.exitCode)}, ${ended.combined.lineCount} lines\n`,
);
