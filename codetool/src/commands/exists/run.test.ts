import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryFolder, createTemporaryRepository, repetitions } from "testkit";
import { existsCommand } from "./command.ts";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";

const files = {
  "src/retry.ts": "export function scheduleRetry() {\n  return 1;\n}\n",
  "docs/notes.md": "Über den Wolken\n",
  ".gitignore": "out/\n",
  "out/made.js": "let generatedName;\n",
};

async function exists(folder: string, input: object): Promise<unknown> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(existsCommand, { ...input }, context);
  return "error" in outcome ? outcome.error.code : outcome.data;
}

async function index(folder: string): Promise<void> {
  const context = { workingDirectory: folder, environment: {} };
  const outcome = await executeCommand(indexCommand, {}, context);
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
}

test("exists is exact, without an index and with one", async () => {
  using folder = createTemporaryFolder(files);
  const root = folder.path;
  const pattern = "scheduleRetry";
  assert.deepEqual(await exists(root, { pattern }), {
    exists: true,
    confidence: "exact",
    pattern,
  });
  await index(root);
  assert.deepEqual(await exists(root, { pattern }), {
    exists: true,
    confidence: "exact",
    pattern,
  });
  assert.deepEqual(await exists(root, { pattern, exact: true }), {
    exists: true,
    confidence: "exact",
    pattern,
  });
  assert.deepEqual(await exists(root, { pattern: "scheduleZebra" }), {
    exists: false,
    confidence: "exact",
    pattern: "scheduleZebra",
  });
  assert.deepEqual(await exists(root, { pattern: "src/retry.ts" }), {
    exists: true,
    confidence: "exact",
    pattern: "src/retry.ts",
  });
  assert.equal(await exists(root, { pattern: "" }), "invalid_argument");
  assert.equal(await exists(root, { pattern: "x", path: "nowhere" }), "file_not_found");
});

test("exists denies a made-up name whose parts are all there, and says probable where it would read much", async () => {
  using folder = createTemporaryRepository({
    "src/a.ts": "export class AsyncResolver {}\nexport class ResolverCache {}\n",
    "lib/b.ts": "export const AsyncResolverCaches = 1;\n",
  });
  await index(folder.path);
  const pattern = "AsyncResolverCache";
  const check = async (input: object, isThere: boolean): Promise<void> => {
    const expected = { exists: isThere, confidence: "exact", pattern };
    assert.deepEqual(await exists(folder.path, { pattern, ...input }), expected);
  };
  await check({ path: "src" }, false);
  await check({ path: "src/a.ts" }, false);
  await check({}, true);
  folder.write({ "lib/b.ts": "export const Asynchronous = 1;\n" });
  await check({}, false);
  const padding = "// ResolverCache axe AsyncResolver\n".repeat(25_000);
  folder.write(
    Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`big/f${at}.txt`, padding])),
  );
  await index(folder.path);
  const apart = "ResolverCache AsyncResolver";
  const likely = { exists: true, confidence: "probable", pattern: apart };
  assert.deepEqual(await exists(folder.path, { pattern: apart }), likely);
  const none = { exists: false, confidence: "exact", pattern: apart };
  assert.deepEqual(await exists(folder.path, { pattern: apart, exact: true }), none);
});

test("exists sees what came after the index, and what lies in an ignored folder that is named", async () => {
  using folder = createTemporaryFolder(files);
  await index(folder.path);
  folder.write({ "src/new.ts": "const brandNew = 1;\n" });
  const found = { exists: true, confidence: "exact", pattern: "brandNew" };
  assert.deepEqual(await exists(folder.path, { pattern: "brandNew" }), found);
  const pattern = "generatedName";
  const none = { exists: false, confidence: "exact", pattern };
  assert.deepEqual(await exists(folder.path, { pattern }), none);
  const made = { exists: true, confidence: "exact", pattern };
  assert.deepEqual(await exists(folder.path, { pattern, path: "out" }), made);
});

test("no text that is there is ever denied, with an index or without", async () => {
  using folder = createTemporaryFolder(files);
  await index(folder.path);
  const texts = Object.entries(files)
    .filter(([path]) => !path.startsWith("out/"))
    .flatMap(([, text]) => text.split("\n"))
    .filter((line) => line.trim() !== "");
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...texts),
      fc.nat(40),
      fc.nat(40),
      async (line, from, size) => {
        const characters = Array.from(line);
        const start = from % characters.length;
        const pattern = characters.slice(start, start + 1 + size).join("");
        if (pattern.trim() === "") return;
        const data = (await exists(folder.path, { pattern })) as { readonly exists: boolean };
        assert.equal(data.exists, true, pattern);
      },
    ),
    { numRuns: repetitions(60) },
  );
});

const line = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 8 }).filter((text) => !/[\0\uD800-\uDFFF]/.test(text)),
  fc.constantFrom("== 404 日本", "x", "  ", "\t\tif (a) {", "İıß", "👩‍👩‍👧"),
);
const text = fc
  .tuple(
    fc.constantFrom("", "\uFEFF"),
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r", "")), { maxLength: 6 }),
  )
  .map(([mark, lines]) => mark + lines.map((parts) => parts.join("")).join(""))
  .filter((whole) => !whole.includes("\0"));

test("exists is true for any part of any file, without an index, with one and with a stale one", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(6)), { minLength: 1, maxLength: 6 }),
      async (texts, cuts) => {
        const tree = Object.fromEntries(texts.map((each, at) => [`d${at % 2}/f${at}.txt`, each]));
        using folder = createTemporaryFolder(tree);
        const parts = (from: readonly string[]): string[] =>
          cuts.flatMap(([file, start, size]) => {
            const characters = Array.from(from[file % from.length] ?? "");
            const first = start % Math.max(1, characters.length);
            const part = characters.slice(first, first + 1 + size).join("");
            return part === "" || !part.isWellFormed() ? [] : [part];
          });
        const check = async (from: readonly string[], state: string): Promise<void> => {
          for (const pattern of parts(from))
            for (const exact of [false, true]) {
              const data = await exists(folder.path, { pattern, exact });
              assert.equal(
                (data as { readonly exists: boolean }).exists,
                true,
                `${JSON.stringify(pattern)} ${state} ${String(exact)}`,
              );
            }
        };
        await check(texts, "without an index");
        await index(folder.path);
        await check(texts, "with an index");
        const changed = texts.map((each, at) => `${each}später ${at}\r\n∅`);
        folder.write(
          Object.fromEntries(changed.map((each, at) => [`d${at % 2}/f${at}.txt`, each])),
        );
        await check(changed, "with a stale index");
      },
    ),
    { seed: 71, numRuns: repetitions(25) },
  );
});

test("exists finds every path, and keeps letter case apart when it looks a text up", async () => {
  using folder = createTemporaryFolder({
    Makefile: "all:\n",
    "a b/ü.txt": "Needle\n",
    "lib/x": "",
  });
  for (const pattern of ["Makefile", "a b", "a b/ü.txt", "lib", "lib/x"]) {
    const data = await exists(folder.path, { pattern });
    assert.deepEqual(data, { exists: true, confidence: "exact", pattern });
  }
  for (const [pattern, expected] of [
    ["Needle", true],
    ["needle", false],
    ["lib/../Makefile", true],
    ["lib/../../Makefile", false],
    ["..", false],
    ["edl", true],
  ] as const) {
    const data = await exists(folder.path, { pattern });
    assert.deepEqual(data, { exists: expected, confidence: "exact", pattern });
  }
});
