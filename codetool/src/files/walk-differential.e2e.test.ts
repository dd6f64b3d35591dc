import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import * as fc from "fast-check";
import { createTemporaryRepository, repetitions, skipUnless } from "testkit";
import { compareBytes } from "../text/index.ts";
import { walkFiles } from "./walk.ts";

/**
 * Few names, so that patterns and paths meet. Left out is a `**` after letters (`b**` + `/c`): git takes the letters off
 * first and then sees a `**` between slashes, against its own manual, which we and rg follow.
 */
const name = fc.constantFrom("a", "b", "ab", "a.c", "b.c", "-d", "e f", "#g", "!h", ".i", "[j]");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const patternPart = fc.oneof(
  { weight: 4, arbitrary: name },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "*",
      "**",
      "?",
      "*.c",
      "a*",
      "[ab]",
      "[!a]",
      "*b*",
      "a?c",
      "\\#g",
      "\\!h",
      "\\[j\\]",
      "[a-b].[[:alpha:]]",
      "**b",
    ),
  },
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "", "!"),
    fc.constantFrom("", "", "/", "**/"),
    fc.array(patternPart, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
    fc.constantFrom("", "", "/", "/**", "/*", "  "),
  )
  .map((parts) => parts.join(""));
const ignoreFile = fc
  .array(pattern, { minLength: 1, maxLength: 5 })
  .map((lines) => lines.join("\n"));
const tree = fc.record({
  paths: fc.array(path, { minLength: 1, maxLength: 14 }),
  ignores: fc.array(fc.tuple(fc.array(name, { maxLength: 2 }), ignoreFile), { maxLength: 3 }),
  exclude: fc.option(ignoreFile, { nil: undefined }),
});

/** Files of a random tree; of two paths where one is a folder of the other, the first wins. */
function filesOf(
  paths: readonly string[],
  ignores: readonly (readonly [readonly string[], string])[],
) {
  const files: { [path: string]: string } = {};
  const isFree = (candidate: string): boolean =>
    !Object.keys(files).some(
      (taken) => taken.startsWith(`${candidate}/`) || candidate.startsWith(`${taken}/`),
    );
  for (const [folder, text] of ignores) {
    const at = [...folder, ".gitignore"].join("/");
    if (isFree(at)) files[at] = text;
  }
  for (const candidate of paths) if (isFree(candidate)) files[candidate] ??= "";
  return files;
}

function linesOf(text: string): string[] {
  return text
    .split("\0")
    .filter((line) => line !== "")
    .sort(compareBytes);
}

function walked(root: string): string[] {
  const { files } = walkFiles({ root, environment: {}, sizeBytesMax: Infinity });
  return files.map((file) => file.relativePath);
}

function gitFiles(root: string): string[] {
  const args = ["-c", "core.excludesFile=/dev/null", "ls-files", "-z", "-co", "--exclude-standard"];
  return linesOf(execFileSync("git", args, { cwd: root, encoding: "utf8" }));
}

function rgFiles(root: string): string[] {
  const args = [
    "--files",
    "--hidden",
    "--null",
    "--no-ignore-global",
    "--no-ignore-dot",
    "-g",
    "!.git",
  ];
  try {
    const text = execFileSync("rg", args, {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "ignore"],
    });
    return linesOf(text);
  } catch (error) {
    // rg ends with 1 when it lists nothing.
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

test(
  "walkFiles() lists what git lists, on random trees with random ignore files",
  { skip: skipUnless("git") },
  () => {
    fc.assert(
      fc.property(tree, ({ paths, ignores, exclude }) => {
        using repository = createTemporaryRepository();
        repository.write(filesOf(paths, ignores));
        if (exclude !== undefined) repository.write({ ".git/info/exclude": exclude });
        assert.deepEqual(walked(repository.path), gitFiles(repository.path));
      }),
      { seed: 20_261, numRuns: repetitions(150) },
    );
  },
);

test(
  "walkFiles() lists what rg lists in this repository",
  { skip: skipUnless("git", "rg") },
  () => {
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    assert.deepEqual(walked(root), rgFiles(root));
  },
);

test("walkFiles() lists what git lists in this repository", { skip: skipUnless("git") }, () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  // Files that git tracks and that are gone or are links are none of ours.
  const present = new Set(walked(root));
  assert.deepEqual(
    gitFiles(root).filter((file) => present.has(file)),
    [...present],
  );
});
