/**
 * Makes the table of token vectors, from corpora to file.
 *
 *     node lab/training/make.ts <mirrors> <work> <table> [--keep-rows=<table>]
 *
 * `<mirrors>` holds git directories as `<owner>+<name>/repo`, `<work>` gets what lies between, `<table>` is the new file.
 * With `--keep-rows` nothing is trained: the rows of that table stay, and it gets those that it lacks. Without, training
 * needs `python3` with numpy and scipy. Each step says what it runs; a repository that `<work>` holds is not unpacked again.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";

const here = import.meta.dirname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "keep-rows": { type: "string" } },
});
const [mirrors, work, table] = positionals;

function run(program: string, ...words: readonly string[]): void {
  process.stderr.write(`${[program, ...words].join(" ")}\n`);
  execFileSync(program, words, { stdio: "inherit" });
}

function step(name: string, ...words: readonly string[]): void {
  run(process.execPath, "--max-old-space-size=6000", join(here, name), ...words);
}

if (mirrors === undefined || work === undefined || table === undefined) {
  process.stderr.write(
    "usage: node lab/training/make.ts <mirrors> <work> <table> [--keep-rows=<table>]\n",
  );
  process.exitCode = 2;
} else {
  const corpus = join(work, "corpus");
  step("unpack.ts", mirrors, corpus);
  let start = values["keep-rows"];
  if (start === undefined) {
    const [streams, trained] = [join(work, "streams"), join(work, "trained")];
    step("extract.ts", "corpus", corpus, mirrors, streams);
    run("python3", join(here, "train.py"), "--corpus", streams, "--out", trained);
    start = join(work, "trained.bin");
    step("pack.ts", trained, start);
  }
  step("extend.ts", start, corpus, table);
}
