/**
 * `npm run executables`: builds the executables of all platforms into `dist/<platform>/`, looks into each, runs those that
 * this machine can run, and writes the table of their sizes to `docs/reference/executables.md`. Exit 1: something is wrong with one.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { createTemporaryFolder, runProgram } from "testkit";
import { buildExecutable, nativeLibraries } from "./executable/build-executable.ts";
import { inspectExecutable } from "./executable/inspect-executable.ts";
import { type NamedExecutable, renderSizes } from "./executable/render-sizes.ts";
import { type Target, targetHere, targets } from "./executable/targets.ts";
import { root } from "./test-files.ts";

const say = (text: string): void => void process.stderr.write(`executables: ${text}\n`);

/** How programs of a platform are started here: as they are, by an emulator, or not at all. */
async function starterOf(target: Target): Promise<readonly string[] | undefined> {
  if (target === targetHere()) return [];
  if (process.platform !== "linux" || target.name !== "linux-arm64") return undefined;
  // Debian's packages qemu-user-static and libc6-arm64-cross.
  const starter = ["qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu"];
  const probe = await runProgram(starter[0] ?? "", ["--version"]).catch(() => undefined);
  return probe?.code === 0 ? starter : undefined;
}

async function tryOut(path: string, starter: readonly string[]): Promise<void> {
  using tree = createTemporaryFolder({
    "a.ts": "export function scheduleRetry() {\n  return 1;\n}\n",
    "b.py": "class Queue:\n    pass\n",
  });
  using cache = createTemporaryFolder();
  const [program, ...args] = starter.length === 0 ? [path] : ([...starter, path] as const);
  const ask = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(program, [...args, ...words], {
      workingDirectory: tree.path,
      environment: { CODETOOL_CACHE_DIR: cache.path, HOME: cache.path },
    });
    assert.equal(code, 0, `${words.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  assert.match(await ask("--version"), /^codetool \d/);
  assert.match(await ask("outline", "a.ts"), /"name":"scheduleRetry"/);
  assert.match(await ask("outline", "b.py"), /"name":"Queue"/);
  assert.match(await ask("index"), /"files_indexed":2/);
  assert.match(await ask("search", "--semantic", "try again"), /"status":"ok"/);
  assert.match(
    await ask("edit", "a.ts", "--find", "return 1", "--replace", "return 2", "--apply"),
    /"applied":true/,
  );
}

async function examine(target: Target): Promise<NamedExecutable> {
  const path = join(root, "dist", target.name, `codetool${target.suffix}`);
  mkdirSync(dirname(path), { recursive: true });
  await buildExecutable({ target, path, say });
  const libraries = await nativeLibraries(target, () => undefined);
  const inspected = inspectExecutable(path, { target, libraries });
  const starter = await starterOf(target);
  if (starter !== undefined) await tryOut(path, starter);
  const signed =
    inspected.signedPageCount === 0 ? "" : `, ${inspected.signedPageCount} pages signed`;
  const ran =
    starter === undefined ? "not run here" : starter.length === 0 ? "run" : `run by ${starter[0]}`;
  const megabytes = (inspected.sizes.total / 1e6).toFixed(0);
  say(
    `${relative(root, path)}: ${megabytes} MB, ${inspected.grammarCount} grammars${signed}, ${ran}`,
  );
  return { name: target.name, ...inspected };
}

const executables: NamedExecutable[] = [];
for (const target of targets) executables.push(await examine(target));
writeFileSync(join(root, "docs", "reference", "executables.md"), renderSizes(executables));
