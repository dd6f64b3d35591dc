import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { codetoolCommand, createTemporaryFolder, makeHostileTree, startProgram } from "testkit";
import { type Answer } from "../../codetool/src/cli/test-support/codetool.ts";

const { command, args: firstArgs } = codetoolCommand();

/** Most memory that a command may take, MiB. */
const memoryMiBMax = 2000;
const indexTimeoutMs = 900_000;
const answerTimeoutMs = 180_000;

interface Measured {
  readonly envelope: Answer;
  readonly seconds: number;
  readonly memoryMiB: number;
}

/**
 * Runs the commands over a hostile tree of full size: as many files in one folder as asked for, nesting 20,000 deep.
 *
 * @param fileCount How many files.
 * @returns What each command took.
 * @throws Error when one fails, takes too long or too much memory, or does not find what is there.
 */
export async function soakCodetoolHostile(fileCount: number): Promise<string> {
  using folder = createTemporaryFolder();
  makeHostileTree(folder.path, { fileCount, nestingCount: 20_000 });
  const rows: string[] = [];
  const ask = async (...args: string[]): Promise<Answer> => {
    const timeoutMs = args[0] === "index" ? indexTimeoutMs : answerTimeoutMs;
    const { envelope, seconds, memoryMiB } = await measure(folder.path, args, timeoutMs);
    const row = `${args.join(" ")}: ${seconds.toFixed(1)} s, ${memoryMiB} MiB`;
    rows.push(row);
    process.stderr.write(`  ${row}\n`);
    assert.ok(memoryMiB <= memoryMiBMax, row);
    return envelope;
  };
  const built = await ask("index");
  assert.ok(Number(built.data["files_indexed"]) >= fileCount);
  const again = await ask("index");
  assert.equal(again.data["files_changed"], 0);
  for (const flags of [
    [],
    ["--mode", "bm25"],
    ["--mode", "hybrid"],
    ["--mode", "semantic"],
    ["--regex"],
  ]) {
    const { data } = await ask("search", ...flags, "findTheNeedle");
    const matches = data["matches"] as readonly { readonly file: string }[];
    if (!flags.includes("semantic"))
      assert.equal(matches[0]?.file, "good/needle.ts", flags.join(" "));
  }
  assert.equal((await ask("exists", "findTheNeedle")).data["exists"], true);
  assert.equal((await ask("exists", "NeverWritten")).data["exists"], false);
  await ask("find", "--flat", "--budget", "4000");
  await ask("outline", "deep", "--budget", "4000");
  return `codetool-hostile: ${fileCount} files in a folder\n${rows.map((row) => `  ${row}`).join("\n")}`;
}

async function measure(
  workingDirectory: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<Measured> {
  const startMs = performance.now();
  const program = startProgram(command, [...firstArgs, ...args], { workingDirectory, timeoutMs });
  let memoryMiB = 0;
  const timer = setInterval(() => {
    memoryMiB = Math.max(memoryMiB, peakMemoryMiB(program.process.pid));
  }, 20);
  const exit = await program.exited();
  clearInterval(timer);
  const said = `${args.join(" ")}: ${exit.stdout.slice(0, 500)}${exit.stderr.slice(0, 500)}`;
  assert.deepEqual([exit.code, exit.signal, exit.stderr], [0, null, ""], said);
  const envelope = JSON.parse(exit.stdout) as Answer;
  return { envelope, seconds: (performance.now() - startMs) / 1000, memoryMiB };
}

/** What a process has held at most so far; 0 where the system does not say. */
function peakMemoryMiB(id: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    // It has ended, or the system has no such file.
    return 0;
  }
}
