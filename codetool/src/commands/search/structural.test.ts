import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { countTokens } from "../../text/token-counter.ts";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";
import { searchCommand } from "./command.ts";

const files: { readonly [path: string]: string | Buffer } = {
  "src/load.ts":
    "import { call } from './call.ts';\n\nexport async function load(url: string) {\n  const got = await call(url, {\n    retries: 3,\n  });\n  return call(got, {});\n}\n",
  "src/call.ts": "export function call(url: string, options: object) {\n  return url;\n}\n",
  "tests/load.test.ts": "call('a', { b: 1 });\n",
  "lib/tool.py": "def double(count, step=1):\n    return count * step\n\n\ndef one(): return 1\n",
  "lib/header.h": "#pragma once\nnamespace a { class B { void f() { this->run(1); } }; }\n",
  "mark.js": "\ufeff/* é */ emit('x');\nemit('y'); emit('z');\n",
  "odd.js": Buffer.concat([Buffer.from("// "), Buffer.from([0xe9]), Buffer.from("\nemit(1);\n")]),
  "run.sh": "cat $HOME/bin/x\n",
  "notes.txt": "call(a, { b })\n",
};

let tree: ReturnType<typeof createTemporaryFolder>;
before(() => {
  tree = createTemporaryFolder(files);
});
after(() => tree[Symbol.dispose]());

interface Capture {
  readonly name: string;
  readonly text: string;
  readonly lines: { readonly start: number; readonly end: number } | null;
}

interface Match {
  readonly [key: string]: unknown;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly captures?: readonly Capture[];
}

interface Answer {
  readonly data: {
    readonly [key: string]: unknown;
    readonly matches: readonly Match[];
    readonly total_matches: number;
    readonly continuation_token: string | null;
  };
  readonly warnings: readonly string[];
}

async function search(input: { readonly [name: string]: unknown }): Promise<Answer> {
  const context = { workingDirectory: tree.path, environment: {} };
  const outcome = await executeCommand(searchCommand, input, context);
  if ("error" in outcome) throw outcome.error;
  return { data: outcome.data as never, warnings: outcome.warnings ?? [] };
}

const placesOf = ({ data }: Answer): string[] =>
  data.matches.map(({ file, line, column }) => `${file}:${line}:${column}`);

test("search --structural finds code by its shape, sources before tests, the best of each file first", async () => {
  const answer = await search({ query: "call($URL, { $$$OPTIONS })", structural: true });
  assert.equal(answer.data["mode"], "structural");
  assert.deepEqual(placesOf(answer), [
    "src/load.ts:4:21",
    "tests/load.test.ts:1:1",
    "src/load.ts:7:10",
  ]);
  assert.equal(answer.data.total_matches, 3);
  assert.deepEqual(answer.warnings, []);
  const [first] = answer.data.matches;
  assert.deepEqual(first?.captures, [
    { name: "URL", text: "url", lines: { start: 4, end: 4 } },
    { name: "OPTIONS", text: "retries: 3,", lines: { start: 5, end: 5 } },
  ]);
  assert.equal(first["match"], "call(url, {\n    retries: 3,\n  })");
  assert.equal(first["context_name"], "load");
  assert.deepEqual(first["snippet_lines"], { start: 3, end: 6 });
  assert.ok(Number(first["relevance"]) > 0 && Number(first["relevance"]) <= 1);
});

test("a match of several lines is shown to its end", async () => {
  using folder = createTemporaryFolder({
    "long.js": "// before\ncall(url, {\n  a: 1,\n  b: 2,\n  c: 3,\n  d: 4,\n});\n// behind\n",
  });
  const input = { query: "call($URL, { $$$OPTIONS })", structural: true };
  const context = { workingDirectory: folder.path, environment: {} };
  const outcome = await executeCommand(searchCommand, input, context);
  if ("error" in outcome) throw outcome.error;
  const { matches } = outcome.data as unknown as Answer["data"];
  assert.deepEqual(matches[0]?.["snippet_lines"], { start: 1, end: 7 });
});

test("a query with placeholders needs no flag, one with the dollar of a pattern is none", async () => {
  const python = await search({ query: "def $NAME($$$ARGS): $$$" });
  assert.equal(python.data["mode"], "structural");
  assert.deepEqual(placesOf(python), ["lib/tool.py:1:1", "lib/tool.py:5:1"]);
  assert.equal((await search({ query: "call\\(.*$" })).data["mode"], "literal");
});

test("a query with placeholders that matches nothing is taken as text where it occurs", async () => {
  const answer = await search({ query: "$HOME/bin" });
  assert.equal(answer.data["mode"], "literal");
  assert.deepEqual(placesOf(answer), ["run.sh:1:5"]);
  assert.match(answer.warnings.join("\n"), /searched as text/);
  const asked = await search({ query: "$HOME/bin", structural: true });
  assert.deepEqual([asked.data["mode"], asked.data.matches], ["structural", []]);
});

test("a pattern that matches nothing, or is code in no language, brings a warning", async () => {
  const check = async (query: string, warning: RegExp): Promise<void> => {
    const { data, warnings } = await search({ query, structural: true });
    assert.deepEqual([data.matches, data["mode"]], [[], "structural"]);
    assert.match(warnings.join("\n"), warning);
    const exists = await search({ query, structural: true, exists: true });
    assert.deepEqual(exists.data, { exists: false, confidence: "exact" });
    assert.match(exists.warnings.join("\n"), warning);
  };
  await check("neverCalled($A)", /compiled for .*typescript.* matched in 0 of \d files/);
  await check("((( $A", /did not compile for any language of 8 files/);
  await check("$A", /did not compile for any language: it is nothing but placeholders/);
  const text = await search({ query: "f($A)", structural: true, path: "notes.txt" });
  assert.match(text.warnings.join("\n"), /No file is in a language/);
});

test("each match counts: two on one line, one inside of another", async () => {
  using folder = createTemporaryFolder({
    "two.js": "g(1); g(2);\n",
    "nested.rs": "fn f() {\n    a.unwrap().b.unwrap();\n}\n",
  });
  const matchesOf = async (query: string, isIndexed: boolean): Promise<unknown[]> => {
    const context = { workingDirectory: folder.path, environment: {} };
    if (isIndexed) await executeCommand(indexCommand, {}, context);
    const outcome = await executeCommand(searchCommand, { query, structural: true }, context);
    if ("error" in outcome) throw outcome.error;
    const { total_matches, matches } = outcome.data as Answer["data"];
    return [
      total_matches,
      ...matches.map(({ line, column, captures }) => [line, column, captures?.[0]?.text]),
    ];
  };
  for (const isIndexed of [false, true]) {
    assert.deepEqual(await matchesOf("g($A)", isIndexed), [2, [1, 1, "1"], [1, 7, "2"]]);
    const nested = [2, [2, 5, "a.unwrap().b"], [2, 5, "a"]];
    assert.deepEqual(await matchesOf("$A.unwrap()", isIndexed), nested);
  }
});

test("a pattern that is no code in a language of the files says which, and what to write", async () => {
  using folder = createTemporaryFolder({
    "a.ts": "class Link extends Converter {\n  run() {}\n}\n",
    "b.ts": "export {};\n",
    "c.rb": "class Tab < Base\nend\n",
    "d.py": "def f(a):\n    return a\n",
    "run.sh": "echo\n",
  });
  const remarks = async (query: string, path = "."): Promise<string> => {
    const context = { workingDirectory: folder.path, environment: {} };
    const input = { query, structural: true, path };
    const outcome = await executeCommand(searchCommand, input, context);
    if ("error" in outcome) throw outcome.error;
    return (outcome.warnings ?? []).join("\n");
  };
  const declared = await remarks("class $C extends Converter");
  assert.match(declared, /is not code in typescript \(2 files\)/);
  assert.match(declared, /in typescript: "class \$C extends Converter \{ \$\$\$ \}"/);
  assert.match(declared, /compiled for bash and matched in 0 of 1 file/);
  assert.match(
    await remarks("class $C < Base", "c.rb"),
    /in ruby: "class \$C < Base\\n {2}\$\$\$\\nend"/,
  );
  assert.match(await remarks("def f($A)", "d.py"), /in python: "def f\(\$A\):\\n {2}\$\$\$"/);
  assert.doesNotMatch(await remarks("((( $A", "a.ts"), /write/);
});

test("a header is matched in the language it is written in", async () => {
  const answer = await search({ query: "this->$M($$$)", structural: true, path: "lib" });
  assert.deepEqual(placesOf(answer), ["lib/header.h:2:36"]);
  assert.equal(answer.data.matches[0]?.captures?.[0]?.text, "run");
});

test("columns count bytes, also behind a byte-order mark, and survive what is no UTF-8", async () => {
  const answer = await search({ query: "emit($A)", structural: true });
  assert.deepEqual(placesOf(answer), ["mark.js:1:10", "odd.js:2:1", "mark.js:2:1", "mark.js:2:12"]);
  assert.deepEqual(
    answer.data.matches.map(({ captures }) => captures?.[0]?.text),
    ["'x'", "1", "'y'", "'z'"],
  );
});

test("search --structural pages, keeps a budget, shows context, and is the same with an index", async () => {
  const query = "call($URL, $$$)";
  const whole = await search({ query, structural: true });
  assert.equal(whole.data.total_matches, 3);
  const pages: string[] = [];
  let token: string | null = null;
  do {
    const page: Answer = await search({
      query,
      structural: true,
      top_k: 1,
      ...(token === null ? {} : { continue: token }),
    });
    pages.push(...placesOf(page));
    token = page.data.continuation_token;
  } while (token !== null);
  assert.deepEqual(pages, placesOf(whole));
  const budgeted = await search({ query, structural: true, budget: 200 });
  assert.ok(countTokens(JSON.stringify(budgeted.data)) <= 200);
  assert.equal(budgeted.data["truncated"], true);
  const inside = await search({ query, structural: true, context: "function" });
  assert.deepEqual(inside.data.matches[0]?.["snippet_lines"], { start: 3, end: 8 });
  await executeCommand(indexCommand, {}, { workingDirectory: tree.path, environment: {} });
  assert.deepEqual((await search({ query, structural: true })).data, whole.data);
});

test("search --structural and --regex exclude each other", async () => {
  await assert.rejects(search({ query: "f($A)", structural: true, regex: true }), {
    code: "invalid_argument",
    message: /regex and mode structural/,
  });
});

test("search --exists is not sure of a structure where a file that may hold it has errors of syntax", async () => {
  using folder = createTemporaryFolder({
    "whole.ts": "lost; found(1);\n",
    "broken.ts": "const = = {{ lost(\n",
    "refused.ts": `lost ${"A<".repeat(600)}\n`,
  });
  const context = { workingDirectory: folder.path, environment: {} };
  const ask = async (query: string, path = "."): Promise<unknown> => {
    const input = { query, path, structural: true, exists: true };
    const outcome = await executeCommand(searchCommand, input, context);
    if ("error" in outcome) throw outcome.error;
    const { warnings = [] } = outcome;
    return { ...outcome.data, isSaid: /errors of syntax|not be parsed/.test(warnings.join()) };
  };
  const unsure = { exists: false, confidence: "probable", isSaid: true };
  assert.deepEqual(await ask("lost($A)"), unsure);
  assert.deepEqual(await ask("lost($A)", "broken.ts"), unsure);
  assert.deepEqual(await ask("lost($A)", "refused.ts"), unsure);
  const sure = { confidence: "exact", isSaid: false };
  assert.deepEqual(await ask("lost($A)", "whole.ts"), { exists: false, ...sure });
  assert.deepEqual(await ask("absent($A)"), { exists: false, ...sure });
  assert.deepEqual(await ask("found($A)"), { exists: true, ...sure });
});
