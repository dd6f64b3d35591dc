/** `index` where there is no room: it fails with a clear error, and what was there before answers on. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { codetoolCommand, createTemporaryFolder, runProgram } from "testkit";
import { type Answer } from "../../cli/test-support/codetool.ts";

const { command, args: firstArgs } = codetoolCommand();

async function answer(
  workingDirectory: string,
  args: readonly string[],
  prefix: readonly string[] = [],
): Promise<Answer & { readonly exitCode: number | null }> {
  const [program = "", ...rest] = [...prefix, command, ...firstArgs, ...args];
  const exit = await runProgram(program, rest, { workingDirectory });
  assert.equal(exit.stderr, "");
  return { ...(JSON.parse(exit.stdout) as Answer), exitCode: exit.code };
}

async function foundFiles(root: string, query: string): Promise<readonly string[]> {
  const { data, warnings = [] } = await answer(root, ["search", "--mode", "bm25", query]);
  assert.doesNotMatch(warnings.join("\n"), /left aside|No index/);
  return (data["matches"] as readonly { file: string }[]).map(({ file }) => file);
}

function writeMany(root: string, count: number): void {
  for (let index = 0; index < count; index += 1)
    writeFileSync(
      join(root, `f${index}.ts`),
      Array.from(
        { length: 60 },
        (_, line) => `export const name${index}x${line} = "${index * line}";\n`,
      ).join(""),
    );
}

/** Takes all the room there is. */
function fillDisk(path: string): void {
  const block = Buffer.alloc(4096);
  const descriptor = openSync(path, "w");
  try {
    for (;;) writeSync(descriptor, block);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  } finally {
    closeSync(descriptor);
  }
}

/** What lies in an index folder when no run is on its way. */
function assertTidy(root: string): void {
  const names = readdirSync(join(root, ".codetool/index"));
  assert.deepEqual(
    names.filter((name) => !/^(?:[a-z]+\.bin|meta\.json|segments)$/.test(name)),
    [],
  );
}

test("on a full disk index says so; the generation before answers, and with room again a run succeeds", async (context) => {
  using folder = createTemporaryFolder();
  const root = folder.path;
  const mount = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", root];
  if (process.platform !== "linux" || spawnSync("mount", mount).status !== 0) {
    // What a limit on file sizes shows is tested below.
    context.skip("this user may not mount a tmpfs");
    return;
  }
  try {
    writeFileSync(join(root, "first.ts"), "export const anchor = 1;\n");
    assert.equal((await answer(root, ["index"])).exitCode, 0);
    writeFileSync(join(root, "second.ts"), "export const lantern = 1;\n");
    writeMany(root, 40);
    const ballast = join(root, "ballast.bin");
    fillDisk(ballast);
    for (let round = 0; round < 2; round += 1) {
      const full = await answer(root, ["index"]);
      assert.deepEqual([full.exitCode, full.error?.code], [1, "disk_full"]);
      assertTidy(root);
      assert.deepEqual(await foundFiles(root, "anchor"), ["first.ts"]);
      // What is newer than the index is read on the fly.
      assert.deepEqual(await foundFiles(root, "lantern"), ["second.ts"]);
    }
    rmSync(ballast);
    const after = await answer(root, ["index"]);
    assert.deepEqual([after.exitCode, after.data["files_indexed"]], [0, 42]);
    assertTidy(root);
  } finally {
    spawnSync("umount", [root]);
  }
});

test(
  "at a limit on the size of files index fails at whatever file meets it, and leaves nothing behind",
  { skip: process.platform === "linux" ? false : "ulimit -f is for POSIX shells" },
  async () => {
    using folder = createTemporaryFolder();
    const root = folder.path;
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, "first.ts"), "export const anchor = 1;\n");
    assert.equal((await answer(root, ["index"])).exitCode, 0);
    writeMany(root, 15);
    const codes = new Set<string>();
    for (const blocks of [0, 9, 32, 100_000]) {
      const limit = ["sh", "-c", `trap "" XFSZ; ulimit -f ${blocks}; exec "$@"`, "sh"];
      const { exitCode, error } = await answer(root, ["index", "--rebuild"], limit);
      codes.add(exitCode === 0 ? "ok" : String(error?.code));
      assertTidy(root);
      assert.deepEqual(await foundFiles(root, "anchor"), ["first.ts"]);
    }
    assert.deepEqual([...codes], ["disk_full", "ok"]);
  },
);
