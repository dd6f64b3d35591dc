import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { createTemporaryFolder, runProgram } from "testkit";
import { root } from "../test-files.ts";
import {
  buildExecutable,
  nativeLibraries,
  type NativeLibrary,
  type Say,
} from "./build-executable.ts";
import { inspectExecutable, type InspectedExecutable } from "./inspect-executable.ts";
import { type Target, targetHere } from "./targets.ts";

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

/** An executable that was built and looked into. */
export interface ExaminedExecutable extends InspectedExecutable {
  readonly target: Target;
  /** Absolute path of the file. */
  readonly path: string;
  readonly libraries: readonly NativeLibrary[];
  /** Absolute path of the compiler's list of what went into it. */
  readonly metafile: string;
}

/**
 * Builds the executable of a platform into `dist/<platform>/`, looks into it, and runs it where this machine can.
 *
 * @throws Error that says what is wrong with it.
 */
export async function examineExecutable(target: Target, say: Say): Promise<ExaminedExecutable> {
  const folder = join(root, "dist", target.name);
  const path = join(folder, `codetool${target.suffix}`);
  const metafile = join(folder, "inputs.json");
  mkdirSync(folder, { recursive: true });
  await buildExecutable({ target, path, say, metafile });
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
  return { target, path, libraries, metafile, ...inspected };
}
