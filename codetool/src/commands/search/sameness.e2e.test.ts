/** The same question over the same tree has the same answer, byte for byte, whichever way it comes and whatever was before. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder, repetitions } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";

/** Arguments of searches, as batch and MCP take them. */
const searches: readonly { readonly [name: string]: string | number | boolean }[] = [
  { query: "where are retries scheduled" },
  { query: "how does the parser report errors" },
  { query: "scheduleRetry" },
  { query: "parse error position" },
  { query: "where are retries scheduled", ranker: "rrf", explain: true },
  { query: "scheduleRetry", ranker: "rrf" },
  { query: "parse error position", alpha: 0.8 },
  { query: "return schedule($DELAY)" },
];

/** A tree of modules that resemble each other, so that ranks are close. */
function makeFiles(): { [path: string]: string } {
  const files: { [path: string]: string } = {};
  for (const [index, topic] of ["retry", "parser", "queue", "cache", "router"].entries())
    for (let part = 0; part < 8; part += 1)
      files[`src/${topic}/${topic}-${part}.ts`] =
        `/** Part ${part} of the ${topic}: schedules, parses and reports errors with their position. */\n` +
        `export function ${topic}Step${part}(delay: number) {\n  return schedule(delay * ${index + part});\n}\n` +
        `export class ${topic}Error${part} extends Error {\n  position = ${part};\n}\n`;
  files["src/retry/schedule-retry.ts"] = "export function scheduleRetry() {\n  return 1;\n}\n";
  files["README.md"] = "# Retries\n\nThe parser reports errors; retries are scheduled.\n";
  return files;
}

/** Without the token, which knows the times of the files. */
function withoutToken(lines: string): string {
  return lines.replaceAll(/"continuation_token":"[^"]*"/g, '"continuation_token":""');
}

async function run(words: readonly string[], folder: string, input?: string): Promise<string> {
  const { stdout } = await runCodetool(words, {
    workingDirectory: folder,
    ...(input === undefined ? {} : { input }),
  });
  return stdout;
}

/** One line a query, over the command line. */
async function byArguments(folder: string): Promise<string> {
  let lines = "";
  for (const { query, ...flags } of searches) {
    const words = Object.entries(flags).map(([name, value]) =>
      value === true ? `--${name}` : `--${name}=${value}`,
    );
    lines += await run(["search", String(query), ...words], folder);
  }
  return lines;
}

async function byBatch(folder: string): Promise<string> {
  const lines = searches.map((search) => JSON.stringify({ cmd: "search", ...search }));
  return await run(["batch"], folder, `${lines.join("\n")}\n`);
}

/** By one program, which answers as the command line does: the first test below shows it. */
async function answersOf(folder: string): Promise<string> {
  return withoutToken(await byBatch(folder));
}

async function byMcp(folder: string): Promise<string> {
  const request = (id: number, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const clientInfo = { name: "test", version: "1" };
  const lines = [
    request(0, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    ...searches.map((search, index) =>
      request(index + 1, "tools/call", { name: "search", arguments: search }),
    ),
  ];
  const answers = (await run(["mcp"], folder, `${lines.join("\n")}\n`)).trim().split("\n");
  const texts = new Map<number, string>();
  for (const line of answers) {
    const { id, result } = JSON.parse(line) as {
      id: number;
      result: { content?: { text: string }[] };
    };
    texts.set(id, result.content?.[0]?.text ?? "");
  }
  return searches.map((_, index) => `${texts.get(index + 1)}\n`).join("");
}

test("a search is the same over the command line, batch and mcp, run after run, with an index and without", async () => {
  using folder = createTemporaryFolder(makeFiles());
  for (const isIndexed of [false, true]) {
    if (isIndexed) await run(["index"], folder.path);
    const first = await byArguments(folder.path);
    assert.equal(first.trim().split("\n").length, searches.length);
    assert.ok(first.includes('"returned":5'), first.slice(0, 300));
    for (let round = 0; round < repetitions(3); round += 1)
      assert.equal(await byArguments(folder.path), first, `round ${round}`);
    assert.equal(await byBatch(folder.path), first, "batch");
    assert.equal(await byMcp(folder.path), first, "mcp");
  }
});

test("a search is the same after any way that ends at the same tree", async () => {
  using folder = createTemporaryFolder(makeFiles());
  const { path: root } = folder;
  await run(["index"], root);
  const first = await answersOf(root);
  const changed = join(root, "src/parser/parser-3.ts");
  const before = readFileSync(changed);
  const added = join(root, "src/retry/retries-are-scheduled-here.ts");

  writeFileSync(changed, "export const scheduleRetry = 'where are retries scheduled';\n");
  writeFileSync(
    added,
    "/** Where retries are scheduled. */\nexport function scheduleRetries() {}\n",
  );
  const other = await answersOf(root);
  assert.notEqual(other, first, "what is new is found, before it is indexed");
  assert.equal(withoutToken(await byArguments(root)), other, "over the command line too");
  await run(["index"], root);
  assert.equal(await answersOf(root), other, "an update changes no answer");
  await run(["index", "--rebuild"], root);
  assert.equal(await answersOf(root), other, "nor does building anew");

  writeFileSync(changed, before);
  rmSync(added);
  assert.equal(await answersOf(root), first, "back again, before an update");
  await run(["index"], root);
  assert.equal(await answersOf(root), first, "and after it");
});
