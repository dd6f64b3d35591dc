import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { codetoolCommand, createTemporaryFolder, runProgram } from "testkit";

const sources = fileURLToPath(new URL("../../codetool/src", import.meta.url));

/** Questions, names, texts, patterns, code; in the mode that each suggests, and in others. */
const searches: readonly { readonly [name: string]: string | number | boolean }[] = [
  { query: "where is the budget of an answer kept" },
  { query: "how are damaged index files noticed", top_k: 10 },
  { query: "readQualifiedName" },
  { query: "SectionFile.slice" },
  { query: "lower bound" },
  { query: "export (async )?function open\\w+", regex: true },
  { query: "$CORPUS.postingsOf($FIELD, $TERM)" },
  { query: "files that changed since", mode: "bm25" },
  { query: "files that changed since", mode: "semantic", explain: true },
  { query: "files that changed since", ranker: "rrf" },
];

/**
 * Asks the same questions of the same tree again and again: over the command line, `batch` and `mcp` in turn, each time
 * in a new process, and between two rounds goes another way to the same tree: files changed and back, files added and
 * gone, with an update of the index in between or none, or built again.
 *
 * @param rounds How often.
 * @returns What was done.
 * @throws AssertionError that says in which round which answer was another.
 */
export async function soakSameness(rounds: number): Promise<string> {
  using folder = createTemporaryFolder();
  const root = join(folder.path, "tree");
  cpSync(sources, root, { recursive: true });
  await codetool(["index"], root);
  const first = await byArguments(root);
  assert.equal(first.length, searches.length);
  for (const [index, answer] of first.entries())
    assert.match(answer, /"returned":[1-9]/, JSON.stringify(searches[index]));
  for (let round = 1; round <= rounds; round += 1) {
    await goAround(root, round);
    const ask = [byArguments, byBatch, byMcp][round % 3] as typeof byArguments;
    const answers = await ask(root);
    for (const [index, answer] of answers.entries())
      assert.equal(answer, first[index], `round ${round}, ${JSON.stringify(searches[index])}`);
  }
  return `codetool-sameness: ${rounds} rounds of ${searches.length} searches over the command line, batch and mcp, each answer the same byte for byte`;
}

/** Changes the tree and changes it back, with updates of the index at some of the stations. */
async function goAround(root: string, round: number): Promise<void> {
  const changed = join(root, "store/sections/file.ts");
  const added = join(root, "search/added-and-gone.ts");
  const before = readFileSync(changed);
  writeFileSync(changed, `// damaged index files are noticed here\n${before.toString("utf8")}`);
  writeFileSync(added, 'import "../store/sections/file.ts";\nexport function lowerBound() {}\n');
  if (round % 2 === 0) await codetool(["index"], root);
  writeFileSync(changed, before);
  rmSync(added);
  if (round % 4 < 2) await codetool(round % 5 === 0 ? ["index", "--rebuild"] : ["index"], root);
}

async function codetool(words: readonly string[], root: string, input?: string): Promise<string> {
  const { command, args } = codetoolCommand();
  const exit = await runProgram(command, [...args, ...words], {
    workingDirectory: root,
    // An index built again beside other soaks took over a minute.
    timeoutMs: 600_000,
    ...(input === undefined ? {} : { input }),
  });
  assert.equal(
    exit.code,
    0,
    `${words.join(" ")}: ${exit.signal ?? ""}${exit.stdout}${exit.stderr}`,
  );
  return exit.stdout;
}

/** Without the token, which knows the times of the files. */
function withoutToken(answer: string): string {
  return answer.trim().replaceAll(/"continuation_token":"[^"]*"/g, '"continuation_token":""');
}

async function byArguments(root: string): Promise<string[]> {
  const answers: string[] = [];
  for (const { query, ...flags } of searches) {
    const words = Object.entries(flags).map(([name, value]) =>
      value === true ? `--${name.replaceAll("_", "-")}` : `--${name.replaceAll("_", "-")}=${value}`,
    );
    answers.push(withoutToken(await codetool(["search", String(query), ...words], root)));
  }
  return answers;
}

async function byBatch(root: string): Promise<string[]> {
  const lines = searches.map((search) => JSON.stringify({ cmd: "search", ...search }));
  const stdout = await codetool(["batch"], root, `${lines.join("\n")}\n`);
  return stdout.trim().split("\n").map(withoutToken);
}

async function byMcp(root: string): Promise<string[]> {
  const clientInfo = { name: "soak", version: "1" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const lines = [
    { id: 0, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    ...searches.map((search, index) => ({
      id: index + 1,
      method: "tools/call",
      params: { name: "search", arguments: search },
    })),
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }));
  const stdout = await codetool(["mcp"], root, `${lines.join("\n")}\n`);
  const texts = new Map<number, string>();
  for (const line of stdout.trim().split("\n")) {
    const { id, result } = JSON.parse(line) as {
      readonly id: number;
      readonly result: { readonly content?: readonly { readonly text: string }[] };
    };
    texts.set(id, result.content?.[0]?.text ?? "");
  }
  return searches.map((_, index) => withoutToken(texts.get(index + 1) ?? ""));
}
