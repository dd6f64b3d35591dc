/**
 * Checks that documents and texts are as CONTRIBUTING.md wants them: doc blocks (95 % of each package's exports), essays of
 * folders, plain English, guides that the README links, no references to documents that are not here, no sleeps and
 * no unexplained skips in tests, no large files in git. Prints `file:line: what` and exits 1 when one is not kept.
 *
 *     node scripts/check-docs.ts [--list]             `--list`: also every export without a doc block
 *     node scripts/check-docs.ts --english [FOLDER]   only lists what is not plain English there, and exits 0
 *     node scripts/check-docs.ts --tests [FOLDER]     only lists sleeps, skips and private references there, and exits 0
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Fault, isOfTests, readSources } from "./checks/check.ts";
import { checkEssay, readDocBlocks } from "./checks/doc-blocks.ts";
import { checkGuideLinks } from "./checks/guide-links.ts";
import { checkLargeFiles } from "./checks/large-files.ts";
import { checkPlainEnglish, readPlainEnglishSources } from "./checks/plain-english.ts";
import { checkPrivateReferences } from "./checks/private-references.ts";
import { checkSkips } from "./checks/skips.ts";
import { checkSleeps } from "./checks/sleeps.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));
const documentedPercentMin = 95;

/** What each rule is kept for already, by the beginnings of paths. */
const kept: { readonly [rule: string]: readonly string[] } = {
  english: [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "agentrt/README.md",
    "agentrt/docs/guides/",
    "agentrt/docs/topology-diff.md",
    "agentrt/src/",
    "codetool/README.md",
    "codetool/docs/",
    "codetool/src/",
    "docs/",
    "bench/",
    "examples/",
    "lab/",
    "scripts/",
    "testkit/",
  ],
  references: [""],
  tests: [""],
};

const largeFiles = {
  "codetool/assets/o200k_base.bin":
    "c5356f21fadc1d7da8372e8cd0b3f901c36735984a5e80d3c9517c1b78bea4a6",
  "codetool/assets/token-vectors.bin":
    "aefcb606c6d49612e131f9561cddec0ad1596d6053041109b571e6c6aea30fe2",
};

const sleepReasons = {
  "agentrt/src/gateway/e2e/attacks.e2e.test.ts":
    "an attack has a pace, and memory is measured in it",
  "agentrt/src/gateway/e2e/http3-attacks.e2e.test.ts":
    "an attack has a pace, and memory is measured in it",
  "agentrt/src/gateway/http3/listener.e2e.test.ts": "polls what no event reports, with a bound",
  "agentrt/src/testing/outside-watch.test.ts":
    "the agent under test waits for the real world, which is what is found",
  "codetool/src/commands/run-program/run.e2e.test.ts":
    "polls a file and a process that are not its own, with a bound",
  "testkit/src/terminal.ts": "tmux has no event for what is on its screen",
};

const skipReasons = {
  "agentrt/src/state/sqlite/state-failures.e2e.test.ts":
    "whether a user may mount is seen by trying",
  "codetool/src/commands/index-folder/damage.e2e.test.ts":
    "whether modes are kept is seen by trying",
  "codetool/src/commands/index-folder/disk.e2e.test.ts":
    "whether a user may mount is seen by trying",
  "codetool/src/executable.e2e.test.ts": "runs only in the phase that has built the executable",
  "scripts/launchers.e2e.test.ts": "wants a Node that is too old for the programs",
};

function checkDocBlocks(): Fault[] {
  return ["agentrt/src", "codetool/src", "testkit/src"].flatMap((root) => {
    const read = readSources(`${root}/**/*.ts`)
      .filter(({ file }) => !file.endsWith(".test.ts"))
      .map(readDocBlocks);
    const exportCount = read.reduce((sum, each) => sum + each.exportCount, 0);
    const missing = read.flatMap((each) => each.missing);
    const percent = exportCount === 0 ? 100 : 100 - (100 * missing.length) / exportCount;
    process.stdout.write(
      `docs: ${root}: ${exportCount} exports, ${percent.toFixed(1)} % documented\n`,
    );
    if (percent < documentedPercentMin) return missing;
    if (process.argv.includes("--list")) print(missing);
    return [];
  });
}

const checkEssays = (): Fault[] =>
  readSources("{agentrt,codetool,testkit}/src/**/index.ts").flatMap(checkEssay);

const checkEnglish = (): Fault[] => readPlainEnglishSources().flatMap(checkPlainEnglish);

const checkReferences = (): Fault[] =>
  readSources(
    "{*.md,docs/**/*.md,{agentrt,codetool,testkit,scripts,bench,lab,examples}/**/*.{md,ts}}",
  )
    .filter(({ file }) => !file.startsWith("scripts/checks/"))
    .flatMap(checkPrivateReferences);

const checkTests = (): Fault[] =>
  readSources("{agentrt,codetool,testkit,scripts,bench,lab,examples}/**/*.ts")
    .filter(({ file }) => isOfTests(file) || file.startsWith("testkit/"))
    .filter(({ file }) => !file.startsWith("scripts/checks/"))
    .flatMap((source) => [
      ...checkSleeps(source, sleepReasons),
      ...checkSkips(source, skipReasons),
    ]);

function checkReadme(): Fault[] {
  const [readme] = readSources("README.md");
  const guides = globSync("{agentrt,codetool}/docs/guides/*.md", { cwd: repository }).sort();
  return readme === undefined ? [] : checkGuideLinks(readme, guides);
}

function checkTrackedFiles(): Fault[] {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: repository, encoding: "utf8" });
  const files = tracked.split("\0").filter((file) => existsSync(join(repository, file)));
  return files
    .filter((file) => file !== "")
    .flatMap((file) =>
      checkLargeFiles([{ file, bytes: readFileSync(join(repository, file)) }], largeFiles),
    );
}

const areKept = (rule: string, faults: readonly Fault[]): Fault[] =>
  faults.filter(({ file }) => kept[rule]?.some((begin) => file.startsWith(begin)));

// A reader such as `head` may close the pipe early: then the rest is not wanted, and that is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

function print(faults: readonly Fault[]): void {
  for (const { file, line1, message } of faults)
    process.stdout.write(`${file}:${line1}: ${message}\n`);
}

/** Lists what a rule finds in a folder, whether it is kept there or not. */
function list(faults: readonly Fault[], flag: string): number {
  const folder = process.argv[process.argv.indexOf(flag) + 1] ?? "";
  const found = faults.filter(({ file }) => file.startsWith(folder.replace(/^\.\//, "")));
  print(found);
  process.stdout.write(`docs: ${found.length} places\n`);
  return 0;
}

function main(): number {
  if (process.argv.includes("--english")) return list(checkEnglish(), "--english");
  if (process.argv.includes("--tests"))
    return list([...checkTests(), ...checkReferences()], "--tests");
  const faults = [
    ...checkDocBlocks(),
    ...checkEssays(),
    ...checkReadme(),
    ...checkTrackedFiles(),
    ...areKept("english", checkEnglish()),
    ...areKept("references", checkReferences()),
    ...areKept("tests", checkTests()),
  ];
  print(faults);
  return faults.length === 0 ? 0 : 1;
}

process.exitCode = main();
