/** What commands do not look into is said, and never denied as certain. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import type { CommandDefinition } from "./command.ts";
import { diffCommand } from "./diff/index.ts";
import { executeCommand } from "./execute-command.ts";
import { existsCommand } from "./exists/index.ts";
import { findFilesCommand } from "./find/index.ts";
import { impactCommand } from "./impact/index.ts";
import { indexCommand } from "./index-folder/index.ts";
import { outlineCommand } from "./outline/index.ts";
import { searchCommand } from "./search/index.ts";

const large = `export function harbourMaster() {}\n${"// filler\n".repeat(120_000)}`;
const files = {
  "a.ts": "export const small = 1;\n",
  "lib/big.js": large,
  "logo.png": Buffer.from("\x89PNG\0\0 harbourPilot", "latin1"),
};

interface AskedInput {
  readonly environment?: { readonly [name: string]: string };
  readonly [name: string]: unknown;
}

async function ask(
  command: CommandDefinition,
  workingDirectory: string,
  { environment = {}, ...input }: AskedInput,
) {
  const outcome = await executeCommand(command, input, { workingDirectory, environment });
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return { data: outcome.data, warnings: (outcome.warnings ?? []).join("\n") };
}

/** Asks without an index, and then with one. */
async function askTwice(
  check: (note: string, root: string) => Promise<void>,
  more: { readonly [path: string]: string | Uint8Array } = {},
): Promise<void> {
  using folder = createTemporaryRepository({ ...files, ...more });
  await check("not indexed", folder.path);
  await ask(indexCommand, folder.path, {});
  await check("indexed", folder.path);
}

const remarkOnLarge =
  '1 file was not looked into, larger than 1048576 bytes (CODETOOL_MAX_FILE_SIZE): "lib/big.js"';

test("search says which files it did not search: large ones, and binary ones where it found nothing", async () => {
  await askTwice(async (note, root) => {
    for (const input of [
      { query: "harbourMaster", literal: true },
      { query: "harbourMaster", mode: "bm25" },
      { query: "harbour[A-Z]\\w+", regex: true },
    ]) {
      const { data, warnings } = await ask(searchCommand, root, input);
      assert.equal(data["total_matches"], 0, note);
      assert.ok(warnings.includes(remarkOnLarge), `${note}: ${warnings}`);
      assert.match(warnings, /1 binary file was not looked into: "logo.png"/, note);
    }
    const found = await ask(searchCommand, root, { query: "small", literal: true });
    assert.equal(found.data["total_matches"], 1);
    assert.equal(found.warnings, remarkOnLarge, note);
    const below = await ask(searchCommand, root, {
      query: "nowhere",
      literal: true,
      path: ["lib"],
    });
    assert.ok(below.warnings.includes(remarkOnLarge), note);
    assert.ok(!below.warnings.includes("logo.png"), note);
    const any = await ask(searchCommand, root, { query: "harbourMaster", exists: true });
    assert.deepEqual(any.data, { exists: false, confidence: "probable" }, note);
    assert.ok(any.warnings.includes(remarkOnLarge), note);
  });
});

test("exists looks into large and binary files before it denies", async () => {
  await askTwice(async (note, root) => {
    const pattern = "harbourMaster";
    const inLarge = await ask(existsCommand, root, { pattern });
    assert.deepEqual(inLarge.data, { exists: true, confidence: "exact", pattern }, note);
    assert.match(inLarge.warnings, /larger than 1048576 bytes: "lib\/big.js"/);
    const inBinary = await ask(existsCommand, root, { pattern: "harbourPilot" });
    assert.equal(inBinary.data["exists"], true, note);
    assert.match(inBinary.warnings, /binary: "logo.png"/);
    const nowhere = await ask(existsCommand, root, { pattern: "harbourGate" });
    assert.deepEqual([nowhere.data["exists"], nowhere.data["confidence"]], [false, "exact"], note);
    assert.equal(nowhere.warnings, "", note);
    // More than is read for an answer.
    truncateSync(join(root, "logo.png"), 70 * 1024 * 1024);
    const unread = await ask(existsCommand, root, { pattern: "harbourGate" });
    assert.equal(unread.data["confidence"], "probable", note);
    assert.match(unread.warnings, /not looked into.*: "logo.png"/, note);
    writeFileSync(join(root, "logo.png"), files["logo.png"]);
  });
});

const skip = process.platform === "linux" ? false : "such names are only there";

test("exists is not certain where a file has a name that cannot be opened", { skip }, async () => {
  using folder = createTemporaryFolder({ "a.ts": "one\n" });
  writeFileSync(Buffer.from(`${folder.path}/caf\xe9.ts`, "latin1"), "harbourMaster\n");
  for (const isIndexed of [false, true]) {
    if (isIndexed) await ask(indexCommand, folder.path, {});
    const { data, warnings } = await ask(existsCommand, folder.path, { pattern: "harbourMaster" });
    assert.deepEqual([data["exists"], data["confidence"]], [false, "probable"]);
    assert.match(warnings, /1 file has a name that is not UTF-8, .*: "caf\ufffd.ts"/);
    const any = await ask(searchCommand, folder.path, { query: "harbourMaster", exists: true });
    assert.deepEqual(any.data, { exists: false, confidence: "probable" });
  }
});

test("a file that was too large and shrinks, or grows, is seen from the index", async () => {
  using folder = createTemporaryFolder(files);
  await ask(indexCommand, folder.path, {});
  const search = async (): Promise<unknown> => {
    const { data, warnings } = await ask(searchCommand, folder.path, {
      query: "harbourMaster",
      literal: true,
    });
    return [data["total_matches"], warnings.includes("lib/big.js")];
  };
  assert.deepEqual(await search(), [0, true]);
  writeFileSync(join(folder.path, "lib/big.js"), "export function harbourMaster() {}\n");
  assert.deepEqual(await search(), [1, false]);
  await ask(indexCommand, folder.path, {});
  writeFileSync(join(folder.path, "lib/big.js"), large);
  assert.deepEqual(await search(), [0, true]);
});

test("find lists large and binary files too, as JSON and plain alike, and says which they are", async () => {
  await askTwice(async (note, root) => {
    const { data } = await ask(findFilesCommand, root, {});
    const nothing = { lines: null, symbols: null, language: null, relevance: null };
    assert.deepEqual(
      data["flat"],
      [
        { path: "a.ts", lines: 1, symbols: null, language: "typescript", relevance: null },
        { ...nothing, path: "lib/big.js", language: "javascript", unsearched: "large" },
        { ...nothing, path: "logo.png", unsearched: "binary" },
      ],
      note,
    );
    const { data: plain } = await ask(findFilesCommand, root, { pattern: ["*.png"], flat: true });
    assert.deepEqual((plain["stats"] as { readonly total_files: number }).total_files, 1);
    const context = { workingDirectory: root, environment: {}, isPlain: true };
    const outcome = await executeCommand(findFilesCommand, {}, context);
    assert.ok("plain" in outcome && outcome.plain !== undefined);
    assert.equal(outcome.plain(), "a.ts\nlib/big.js\nlogo.png\n", note);
  });
});

test("outline, impact and diff say what they did not look into", async () => {
  await askTwice(async (note, root) => {
    const outline = await ask(outlineCommand, root, { path: "." });
    assert.ok(outline.warnings.includes(remarkOnLarge), note);
    const impact = await ask(impactCommand, root, { file: "lib/big.js" });
    assert.ok(impact.warnings.includes(remarkOnLarge), `${note}: ${impact.warnings}`);
    const users = await ask(impactCommand, root, { file: "a.ts" });
    assert.ok(users.warnings.includes(remarkOnLarge), `${note}: ${users.warnings}`);
    writeFileSync(join(root, "untracked.js"), large);
    const diff = await ask(diffCommand, root, { stat_only: true });
    assert.match(diff.warnings, /The lines of "untracked.js" are not counted/, note);
    rmSync(join(root, "untracked.js"));
  });
});

test("CODETOOL_MAX_FILE_SIZE counts up to 64 MiB: larger files are never read as a whole", async () => {
  using folder = createTemporaryFolder({ "a.ts": "one\n" });
  mkdirSync(join(folder.path, "sub"));
  const huge = join(folder.path, "sub/huge.txt");
  writeFileSync(huge, "harbourMaster\n");
  truncateSync(huge, 3_000_000_000);
  const environment = { CODETOOL_MAX_FILE_SIZE: "5000000000" };
  for (const isIndexed of [false, true]) {
    if (isIndexed) await ask(indexCommand, folder.path, { environment });
    const { warnings } = await ask(searchCommand, folder.path, {
      query: "harbourMaster",
      literal: true,
      environment,
    });
    assert.match(warnings, /larger than 67108864 bytes .*: "sub\/huge.txt"/);
  }
});
