import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Fault } from "./check.ts";
import { checkEssay, readDocBlocks } from "./doc-blocks.ts";
import { checkGuideLinks } from "./guide-links.ts";
import { checkLargeFiles, sizeBytesMax } from "./large-files.ts";
import { checkPlainEnglish } from "./plain-english.ts";
import { checkPrivateReferences } from "./private-references.ts";
import { checkSkips } from "./skips.ts";
import { checkSleeps } from "./sleeps.ts";

const lines = (faults: readonly Fault[]): number[] => faults.map(({ line1 }) => line1);

test("plain English: each phrase of the list is found in pages, doc comments and texts", () => {
  const rows = [
    "It reads JSON alone.",
    "A tag that is no symbol.",
    "They are no files.",
    "It stands in the table.",
    "The caller is told at once.",
    "One beside the other.",
    "Whoever asks.",
    "A process of its own.",
    "Rooms of their own.",
    "All but for the last.",
    "It is read anew.",
    "It was searched in vain.",
  ];
  for (const row of rows) {
    assert.deepEqual(lines(checkPlainEnglish({ file: "a.md", text: `# A\n\n${row}` })), [3], row);
    const doc = `/**\n * ${row}\n */\nexport const a = 1;`;
    assert.deepEqual(lines(checkPlainEnglish({ file: "a.ts", text: doc })), [2], row);
    const text = `const a = 1;\nfail("${row}");`;
    assert.deepEqual(lines(checkPlainEnglish({ file: "a.ts", text })), [2], row);
  }
});

test("plain English: everyday uses of the same words are left alone", () => {
  const rows = [
    "There is no file.",
    "It is no longer there.",
    "`<n>` stands for a number.",
    "Leave the file alone.",
    "They are told apart by keys.",
    "It understands.",
    "`a beside b`",
  ];
  for (const row of rows) assert.deepEqual(checkPlainEnglish({ file: "a.md", text: row }), [], row);
});

test("private references: sections of an RFC pass, others and named documents do not", () => {
  const check = (file: string, text: string): number[] =>
    lines(checkPrivateReferences({ file, text }));
  assert.deepEqual(check("a.ts", "// RFC 9114 §7.2.8 and §7.1\n// §3.1 says so"), [2]);
  assert.deepEqual(check("a.ts", "/** As the specification has it. */"), [1]);
  assert.deepEqual(check("a.test.ts", 'test("the defaults of the specification");'), []);
  assert.deepEqual(check("a.test.ts", 'const row = { from: "facts §14.2" };'), [1]);
});

test("sleeps: a wait for the clock is found, a program in quotes and a timer that fails are not", () => {
  const check = (text: string, reasons = {}): number[] =>
    lines(checkSleeps({ file: "a.test.ts", text }, reasons));
  const sleep = "await new Promise((resolve) => setTimeout(resolve, 50));";
  assert.deepEqual(check(`const a = 1;\n${sleep}`), [2]);
  assert.deepEqual(check('import { setTimeout as sleep } from "node:timers/promises";'), [1]);
  assert.deepEqual(check("Atomics.wait(cell, 0, 0, 50);"), [1]);
  assert.deepEqual(check(`const program = \`${sleep}\`;\nsetTimeout(() => child.kill(), 50);`), []);
  assert.deepEqual(check(sleep, { "a.test.ts": "there is no event" }), []);
});

test("skips: only skipUnless() and the system may skip a test", () => {
  const check = (text: string, reasons = {}): number[] =>
    lines(checkSkips({ file: "a.test.ts", text }, reasons));
  assert.deepEqual(check('test("a", { skip: hasProxy ? false : "no proxy" }, f);'), [1]);
  assert.deepEqual(check('const skip = commandPath("x") === undefined && "no x";'), [1]);
  assert.deepEqual(check('context.skip("not now");'), [1]);
  assert.deepEqual(check('test("a", { skip: skipUnless("bash", "curl") }, f);'), []);
  assert.deepEqual(check('test("a", { skip: isWindows && "needs a shell" }, f);'), []);
  assert.deepEqual(check('const skip = skipUnless("rg");\ntest("a", { skip }, f);'), []);
  assert.deepEqual(check("if (skip === false) start();"), []);
  assert.deepEqual(check('context.skip("not now");', { "a.test.ts": "seen by trying" }), []);
});

test("a README that does not link a guide, and a large file that is new or changed, are refused", () => {
  const readme = { file: "README.md", text: "[a](docs/guides/a.md)" };
  assert.deepEqual(checkGuideLinks(readme, ["docs/guides/a.md"]), []);
  assert.equal(checkGuideLinks(readme, ["docs/guides/b.md"]).length, 1);
  const bytes = new Uint8Array(sizeBytesMax + 1);
  const listed = { "a.bin": createHash("sha256").update(bytes).digest("hex") };
  assert.deepEqual(checkLargeFiles([{ file: "a.bin", bytes }], listed), []);
  assert.equal(checkLargeFiles([{ file: "b.bin", bytes }], listed).length, 1);
  assert.equal(checkLargeFiles([{ file: "a.bin", bytes: bytes.fill(1) }], listed).length, 1);
  assert.deepEqual(checkLargeFiles([{ file: "c", bytes: new Uint8Array(sizeBytesMax) }], {}), []);
});

test("exports without a doc block are counted, and an index.ts without an essay is refused", () => {
  const text = "/** One. */\nexport const a = 1;\nexport function b() {}\n";
  const { exportCount, missing } = readDocBlocks({ file: "a.ts", text });
  assert.equal(exportCount, 2);
  assert.deepEqual(lines(missing), [3]);
  assert.equal(checkEssay({ file: "a/index.ts", text: "export {};" }).length, 1);
  assert.deepEqual(checkEssay({ file: "a/index.ts", text: "/** What it is. */" }), []);
  assert.deepEqual(checkEssay({ file: "a/b.ts", text: "export {};" }), []);
});
