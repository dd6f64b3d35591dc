/** Files in UTF-16 with a byte order mark are texts for every command, with an index and without. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import type { CommandDefinition } from "./command.ts";
import { executeCommand } from "./execute-command.ts";
import { existsCommand } from "./exists/index.ts";
import { findFilesCommand } from "./find/index.ts";
import { indexCommand } from "./index-folder/index.ts";
import { outlineCommand } from "./outline/index.ts";
import { searchCommand } from "./search/index.ts";
import { contentHash } from "../text/index.ts";

const text = "# größer\r\ndef harbour_master():\r\n    return 'käse'\r\n";
const littleEndian = Buffer.from(`\ufeff${text}`, "utf16le");
const bigEndian = Buffer.from(littleEndian).swap16();

async function ask(
  command: CommandDefinition,
  workingDirectory: string,
  input: { readonly [name: string]: unknown },
): Promise<{ readonly [key: string]: unknown }> {
  const outcome = await executeCommand(command, input, { workingDirectory, environment: {} });
  assert.ok(!("error" in outcome), JSON.stringify(outcome));
  return outcome.data;
}

test("search, exists, find and outline read UTF-16, and an index holds it", async () => {
  const files = { "le.py": littleEndian, "be.py": bigEndian, "u8.py": text };
  using folder = createTemporaryFolder(files);
  for (const isIndexed of [false, true]) {
    if (isIndexed) await ask(indexCommand, folder.path, {});
    for (const input of [
      { query: "harbour_master(" },
      { query: "harbour_master", mode: "literal" },
      { query: "return 'k.se'", regex: true },
      { query: "def $NAME(): $$$", structural: true },
      { query: "harbour master", mode: "bm25" },
      { query: "harbour master", mode: "semantic" },
    ]) {
      const data = await ask(searchCommand, folder.path, { ...input, hash: true });
      const matches = data["matches"] as readonly {
        readonly file: string;
        readonly line: number;
        readonly column: number;
        readonly match: string;
        readonly snippet: string;
        readonly context_name: string | null;
        readonly hash: string;
      }[];
      const note = `${isIndexed ? "indexed" : "not indexed"} ${JSON.stringify(input)}`;
      assert.deepEqual(matches.map(({ file }) => file).sort(), Object.keys(files).sort(), note);
      // The best match is shown with more lines.
      const shown = matches.map(({ line, column, match, snippet, context_name: name }) =>
        JSON.stringify([line, column, match, snippet.split("\n")[0], name]),
      );
      assert.deepEqual(new Set(shown).size, 1, `${note} ${shown.join(" ")}`);
      for (const { file, hash } of matches)
        assert.equal(hash, await contentHash(Buffer.from(files[file as keyof typeof files])), note);
    }
    for (const [pattern, exists] of [
      ["harbour_master", true],
      ["größer", true],
      ["harbour_pilot", false],
    ] as const)
      assert.deepEqual(await ask(existsCommand, folder.path, { pattern }), {
        exists,
        confidence: "exact",
        pattern,
      });
    const { flat } = (await ask(findFilesCommand, folder.path, { outline: true })) as {
      readonly flat: readonly { readonly path: string }[];
    };
    const about = { lines: 3, symbols: 1, language: "python", relevance: null };
    assert.deepEqual(
      flat,
      ["be.py", "le.py", "u8.py"].map((path) => ({ path, ...about })),
    );
    const { symbols } = (await ask(outlineCommand, folder.path, { path: "." })) as {
      readonly symbols: readonly { readonly file: string; readonly name: string }[];
    };
    assert.deepEqual(
      symbols.map(({ file, name }) => `${file} ${name}`),
      ["be.py harbour_master", "le.py harbour_master", "u8.py harbour_master"],
    );
  }
});
