import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, runProgram } from "testkit";
import { version } from "../system/index.ts";

const addressOf = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);

/** A process that keeps what it compiles, as the built program at an address. */
async function runKeeping(
  folder: string,
  {
    address = "file:///codetool/main.js",
    variables = {},
  }: { address?: string; variables?: { readonly [name: string]: string } } = {},
): Promise<void> {
  const script = `
    import { keepCompiled } from ${addressOf("keep-compiled.ts")};
    keepCompiled(process.env, ${JSON.stringify(address)});
    await import(${addressOf("help.ts")});`;
  const environment = {
    NODE_COMPILE_CACHE: undefined,
    NODE_V8_COVERAGE: undefined,
    NODE_DISABLE_COMPILE_CACHE: undefined,
    CODETOOL_CACHE_DIR: folder,
    ...variables,
  };
  const args = ["--conditions=agentrt-source", "--input-type=module", "-e", script];
  const exit = await runProgram(process.execPath, args, { environment });
  assert.equal(exit.code, 0, exit.stderr);
}

test("what Node compiles is kept for the user, by version, and not without bounds", async () => {
  using folder = createTemporaryFolder();
  const kept = join(folder.path, "compiled");
  await runKeeping(folder.path);
  assert.deepEqual(readdirSync(kept), [version]);
  assert.ok(readdirSync(join(kept, version), { recursive: true }).length > 1);
  if (process.platform !== "win32") assert.equal(statSync(kept).mode & 0o777, 0o700);
  for (const other of ["0.0.1", "0.0.2", "0.0.3", "0.0.4"]) mkdirSync(join(kept, other));
  await runKeeping(folder.path);
  assert.equal(readdirSync(kept).length, 5, "nothing is dropped while this version is there");
  using full = createTemporaryFolder();
  for (const other of ["0.0.1", "0.0.2", "0.0.3", "0.0.4"])
    mkdirSync(join(full.path, "compiled", other), { recursive: true });
  await runKeeping(full.path);
  assert.deepEqual(readdirSync(join(full.path, "compiled")), [version]);
});

test("nothing is kept of sources, for coverage, where that is turned off, and where there is no folder for it", async () => {
  using folder = createTemporaryFolder({ file: "" });
  await runKeeping(folder.path, { address: "file:///codetool/main.ts" });
  const variables = { NODE_V8_COVERAGE: join(folder.path, "coverage") };
  await runKeeping(folder.path, { variables });
  await runKeeping(folder.path, { variables: { NODE_DISABLE_COMPILE_CACHE: "1" } });
  assert.equal(existsSync(join(folder.path, "compiled")), false);
  await runKeeping(join(folder.path, "file"));
});
