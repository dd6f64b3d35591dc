import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import { type Answer, runCodetool } from "../../cli/test-support/codetool.ts";

type Envelope = Answer<{
  readonly content: { readonly text: string } | null;
  readonly meta: { readonly lines: number; readonly bytes: number; readonly hash: string };
  readonly outline: readonly { readonly lines: object }[];
  readonly symbols: readonly { readonly name: string }[];
  readonly hash_after: string;
}>;

async function answer(args: readonly string[], workingDirectory: string): Promise<Envelope> {
  const { stdout } = await runCodetool(args, { workingDirectory });
  return JSON.parse(stdout) as Envelope;
}

/** A linefeed, U+0A0A and U+0D0A: counting bytes of 10 would count two lines too many. */
const text = 'export function greet(): string {\r\n  return "ਊ ഊ Grüße 👋";\r\n}\r\n';

function utf16(from: string, order: "little" | "big"): Buffer {
  const bytes = Buffer.from(`\uFEFF${from}`, "utf16le");
  return order === "big" ? bytes.swap16() : bytes;
}

for (const order of ["little", "big"] as const) {
  test(`read, outline and edit agree on a file in UTF-16 (${order} endian)`, async () => {
    const bytes = utf16(text, order);
    using folder = createTemporaryFolder({ "a.ts": bytes });
    const whole = await answer(["read", "a.ts"], folder.path);
    assert.equal(whole.data.content?.text, text);
    assert.equal(whole.data.meta.lines, 3);
    assert.equal(whole.data.meta.bytes, bytes.length);
    assert.deepEqual(whole.data.outline[0]?.lines, { start: 1, end: 3 });
    assert.deepEqual(whole.warnings, ['"a.ts" is UTF-16, and is shown in UTF-8']);
    const line = await answer(["read", "a.ts", "--lines", "2"], folder.path);
    assert.equal(line.data.content?.text, '  return "ਊ ഊ Grüße 👋";');
    const cut = await answer(["read", "a.ts", "--budget", "200"], folder.path);
    assert.ok(text.startsWith(cut.data.content?.text ?? "none"));
    const skeleton = await answer(["read", "a.ts", "--skeleton"], folder.path);
    assert.match(skeleton.data.content?.text ?? "", /export function greet\(\): string \{/);
    const outline = await answer(["outline", "a.ts"], folder.path);
    assert.equal(outline.data.symbols[0]?.name, "greet");
    const listed = await answer(["outline", "."], folder.path);
    assert.equal(listed.data.symbols.length, 1);
    const edited = await answer(
      "edit a.ts --find 👋 --replace ! --apply --expect-hash"
        .split(" ")
        .concat(whole.data.meta.hash),
      folder.path,
    );
    assert.equal(edited.status, "ok");
    const now = readFileSync(join(folder.path, "a.ts"));
    assert.deepEqual(now, utf16(text.replace("👋", "!"), order));
    const again = await answer(["read", "a.ts", "--hash"], folder.path);
    assert.equal(again.data.meta.hash, edited.data.hash_after);
  });
}

test("half a character at the end of UTF-16 shows as U+FFFD, and what has the mark alone is binary", async () => {
  using folder = createTemporaryFolder({
    "half.txt": Buffer.concat([utf16("ab", "little"), Buffer.of(0x61)]),
    "data.bin": Buffer.concat([utf16("a", "little"), Buffer.of(0, 0, 1, 0)]),
    "empty.txt": utf16("", "big"),
  });
  const half = await answer(["read", "half.txt"], folder.path);
  assert.equal(half.data.content?.text, "ab\uFFFD");
  assert.match(half.warnings?.join() ?? "", /invalid bytes are shown as U\+FFFD/);
  assert.equal((await answer(["read", "data.bin"], folder.path)).data.content, null);
  const empty = await answer(["read", "empty.txt"], folder.path);
  assert.equal(empty.data.content?.text, "");
  assert.equal(empty.data.meta.lines, 0);
});

test("read --mode diff of UTF-16 says that git has no lines of it", async () => {
  using repository = createTemporaryRepository({ "a.txt": "x\n" });
  repository.write({ "a.txt": utf16("y\n", "little") });
  const { error } = await answer(["read", "a.txt", "--mode", "diff"], repository.path);
  assert.equal(error?.code, "invalid_argument");
  assert.match(error?.message ?? "", /UTF-16, which git compares as binary/);
});
