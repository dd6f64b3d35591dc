/**
 * `npm run token-economy -- <folder> [--codetool=PATH] [--tasks=FOLDER] [--out=FILE]`: asks a hundred questions about
 * five repositories, with codetool and with the Unix tools that an agent would use instead, and counts the tokens of
 * what both print. `<folder>` holds a checkout of each repository at its commit; what is missing is named with the
 * command lines that make it. What was found is written to `lab/results/token-economy.json`, which
 * `token-economy.md` is made from. Exit 0: all were run, whatever the figures; 2: something is missing.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runLine, runTask, type TaskPlace, type TaskResult } from "./token-economy/run-task.ts";
import { describeResults, type EconomyResults, resultsPath } from "./token-economy/summarize.ts";
import { problemsOf, readTaskFiles, type TaskFile } from "./token-economy/task.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { codetool: { type: "string" }, tasks: { type: "string" }, out: { type: "string" } },
});
const codetoolPath = resolve(
  values.codetool ?? fileURLToPath(new URL("../dist/codetool", import.meta.url)),
);
const tasksFolder = values.tasks ?? fileURLToPath(new URL("token-economy/tasks", import.meta.url));
const checkouts = positionals[0];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function fail(...lines: readonly string[]): never {
  for (const line of lines) say(`token-economy: ${line}`);
  process.exit(2);
}

/** Says what is wrong with a checkout, and how it is made; `undefined` when it is as wanted. */
function problemOfCheckout(
  { name, repository, commit }: TaskFile,
  folder: string,
): string | undefined {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  if (!existsSync(join(folder, ".git")))
    return `there is no checkout "${folder}": git clone https://github.com/${repository} ${folder} && git -C ${folder} checkout ${commit}`;
  const found = git("rev-parse", "HEAD");
  if (found !== commit)
    return `"${name}" is at ${found}, wanted ${commit}: git -C ${folder} checkout ${commit}`;
  return git("status", "--porcelain") === "" ? undefined : `"${name}" has changes, wanted none`;
}

/** Commands find codetool by its name; ripgrep's order is fixed; nobody's settings of git, rg or codetool take part. */
function environmentIn(home: string): TaskPlace["environment"] {
  symlinkSync(codetoolPath, join(home, "codetool"));
  writeFileSync(join(home, "ripgreprc"), "--sort=path\n");
  return {
    PATH: [home, process.env["PATH"]].join(delimiter),
    HOME: home,
    LC_ALL: "C.UTF-8",
    RIPGREP_CONFIG_PATH: join(home, "ripgreprc"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

function runTasksOf(file: TaskFile, place: TaskPlace): TaskResult[] {
  rmSync(join(place.folder, ".codetool"), { recursive: true, force: true });
  runLine("codetool index", place);
  return file.tasks.map((task) => runTask(task, place));
}

function main(): void {
  const files = readTaskFiles(tasksFolder);
  const problems = files.flatMap((file) => [
    ...problemsOf(file),
    ...[problemOfCheckout(file, resolve(checkouts ?? ".", file.name)) ?? []].flat(),
  ]);
  if (checkouts === undefined || files.length === 0)
    fail("wanted the folder of the checkouts: token-economy.ts <folder>");
  if (!existsSync(codetoolPath)) fail(`there is no "${codetoolPath}": npm run build:codetool`);
  if (problems.length > 0) fail(...problems);
  const home = mkdtempSync(join(tmpdir(), "token-economy-"));
  try {
    const environment = environmentIn(home);
    const placeOf = (name: string): TaskPlace => ({
      name,
      folder: resolve(checkouts, name),
      environment,
    });
    const versionOf = (line: string): string =>
      runLine(line, placeOf(files[0]?.name ?? "."))
        .split("\n")[0]
        ?.trim() ?? "";
    const tasks = files.flatMap((file) => {
      const results = runTasksOf(file, placeOf(file.name));
      say(`${file.name}: ${results.length} tasks`);
      return results;
    });
    const results: EconomyResults = {
      date: new Date().toISOString().slice(0, 10),
      versions: ["codetool --version", "rg --version", "git --version"].map(versionOf),
      repositories: files.map(({ name, repository, commit }) => ({ name, repository, commit })),
      tasks,
    };
    writeFileSync(values.out ?? resultsPath, `${JSON.stringify(results, null, 1)}\n`);
    process.stdout.write(describeResults(results));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

main();
