import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder, runProgram, skipUnless } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";

interface Answer {
  readonly status: string;
  readonly tokens: number;
  readonly data: {
    readonly matches: readonly { readonly file: string; readonly line: number }[];
    readonly total_matches: number;
    readonly mode: string;
    readonly continuation_token: string | null;
  };
  readonly warnings?: readonly string[];
}

async function search(folder: string, flags: readonly string[]): Promise<Answer> {
  const exit = await runCodetool(["search", ...flags], {
    workingDirectory: folder,
  });
  assert.equal(exit.code, 0, exit.stdout + exit.stderr);
  return JSON.parse(exit.stdout) as Answer;
}

const files = {
  "plain.txt": "needle\nno\nneedle needle\n",
  "crlf.txt": "a\r\nneedle\r\n",
  "mark.txt": "\ufeffneedle",
  "latin.txt": Buffer.from([0xe9, 0x20, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65]),
  "binary.bin": Buffer.from("\0needle"),
  "empty.txt": "",
  ".hidden/file": "needle",
  "space name/ü.txt": "needle\n",
  ".gitignore": "out/\n*.log\n",
  "out/ignored.txt": "needle",
  "deep/.gitignore": "!kept.log\n",
  "deep/kept.log": "needle",
  "deep/left.log": "needle",
  "large.txt": `${"x".repeat(1_100_000)}needle`,
  "case.txt": "Needle NEEDLE",
};

test("search finds the lines that rg finds", { skip: skipUnless("rg") }, async () => {
  using folder = createTemporaryFolder(files);
  const rg = await runProgram(
    "rg",
    [
      "--no-config",
      "--hidden",
      "--no-require-git",
      "--no-ignore-parent",
      "--max-filesize=1M",
      "--line-number",
      "--no-heading",
      "--fixed-strings",
      "needle",
      "./",
    ],
    { workingDirectory: folder.path },
  );
  const theirs = rg.stdout
    .trim()
    .split("\n")
    .map((line) => line.replace(/^\.\//, "").split(":").slice(0, 2).join(":"))
    .sort();
  const { data } = await search(folder.path, ["--literal", "needle", "--top-k", "1000"]);
  const ours = data.matches.map(({ file, line }) => `${file}:${line}`).sort();
  assert.deepEqual(ours, theirs);
  assert.equal(data.total_matches, theirs.length);
});

test("search answers from a process as it does inside of one: words, budget, pages", async () => {
  using folder = createTemporaryFolder({
    "src/retry.ts":
      "/** Waits longer after each failure. */\nexport function backOff(n: number) {\n  return 2 ** n;\n}\n",
    "src/queue.ts": "export class Queue {\n  push(x: number) {}\n}\n",
    "notes.md": "# Notes\n\nA failure is logged.\n",
  });
  const words = await search(folder.path, ["what waits longer after a failure", "--budget", "600"]);
  assert.equal(words.data.mode, "bm25");
  assert.equal(words.data.matches[0]?.file, "src/retry.ts");
  const first = await search(folder.path, ["--literal", "e", "--top-k", "2"]);
  const token = first.data.continuation_token ?? "";
  const second = await search(folder.path, ["--literal", "e", "--top-k", "2", "--continue", token]);
  const places = [...first.data.matches, ...second.data.matches].map(
    ({ file, line }) => `${file}:${line}`,
  );
  assert.equal(new Set(places).size, 4);
});

test("search with a bad pattern is one clear error and exit 1", async () => {
  using folder = createTemporaryFolder({ "a.txt": "x" });
  const exit = await runCodetool(["search", "--regex", "a(b"], {
    workingDirectory: folder.path,
  });
  assert.equal(exit.code, 1);
  const { error } = JSON.parse(exit.stdout) as { error: { code: string; message: string } };
  assert.equal(error.code, "invalid_argument");
  assert.match(error.message, /it is not a valid pattern, at character 2: this "\(" is not closed/);
  assert.equal(exit.stdout.split("\n").length, 2);
});
