/** `search --explain`: why a place is shown, and not the next one of its file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createTemporaryFolder } from "testkit";
import { runCodetool, type Answer } from "../../cli/test-support/codetool.ts";
import type { PrintedMatch } from "../../search/index.ts";
import { searchAnswer } from "./answer-schema.ts";

const isAnswer = new Ajv2020().compile(searchAnswer.json);

const files = {
  ".git/HEAD": "",
  "src/pool.ts": `import { open } from "./wire.ts";

/** Holds the connections of one host. */
export class Pool {
  size = 0;

  /** Gives an idle connection back, else opens one. */
  acquire(host: string) {
    return this.idle(host) ?? open(host);
  }

  /** Closes idle connections that nobody used for a while. */
  evict(now: number) {
    for (const one of this.all) {
      if (one.usedAt > now - 1000) continue;
      one.close();
      this.size -= 1;
    }
    if (this.size < 0) throw new Error(\`pool of \${this.host} has lost \${-this.size} connections\`);
  }
}
`,
  "src/wire.ts": "export function open(host: string) {\n  return host;\n}\n\nopen(2);\n",
};

async function search(words: readonly string[], workingDirectory: string) {
  const { stdout } = await runCodetool(["search", ...words], { workingDirectory });
  const { data, error } = JSON.parse(stdout) as Answer<{ readonly matches: PrintedMatch[] }>;
  assert.equal(error?.message, undefined);
  assert.ok(isAnswer(data), JSON.stringify(isAnswer.errors));
  return data.matches;
}

test("search --explain says of a question which words and figures counted, and what the next place of the file lacks", async () => {
  using tree = createTemporaryFolder(files);
  const question = "when are idle connections that nobody used closed";
  const [first] = await search([question, "--explain"], tree.path);
  assert.deepEqual([first?.file, first?.context_name], ["src/pool.ts", "evict"]);
  const { words = [], evidence = [], next } = first?.why ?? {};
  for (const word of ["idle", "connections", "closed"])
    assert.ok(words.includes(word), `${word} in ${words.join()}`);
  assert.ok(
    evidence.some(({ what, points }) => /share of the query's words/.test(what) && points > 0),
  );
  assert.ok(next !== null && next !== undefined);
  assert.notEqual(next.name, "evict");
  assert.ok(next.points_behind > 0);
  assert.ok((next.words?.length ?? 0) < words.length);
  const [lack] = next.lacks;
  assert.ok(lack !== undefined && lack.points < 0);
  assert.deepEqual(
    (await search([question], tree.path)).filter(({ why, features }) => why ?? features),
    [],
  );
});

test("search --explain says of a printed message how much of it the line says, of a text what its line is", async () => {
  using tree = createTemporaryFolder(files);
  const [message] = await search(["pool of db1 has lost 3 connections", "--explain"], tree.path);
  assert.equal(message?.line, 19);
  assert.match(message.why?.evidence[0]?.what ?? "", /says as it is written/);
  assert.equal(message.why?.next, null);
  const [text] = await search(["open", "src/wire.ts", "--explain"], tree.path);
  assert.match(text?.why?.evidence[0]?.what ?? "", /defines/);
  assert.equal(text?.why?.next?.line, 5);
  assert.equal(text.why.next.lacks[0]?.value_here, 1);
});

test("search --explain says of a chunk how near it is, or what its name and words gave", async () => {
  using tree = createTemporaryFolder({
    ...files,
    "src/long.ts": `${"export const filler = 1;\n".repeat(90)}export function lease() {}\n${"export const more = 2;\n".repeat(90)}lease();\n`,
  });
  await runCodetool(["index"], { workingDirectory: tree.path });
  const question = "give up unused connections";
  const [near] = await search([question, "--semantic", "--explain"], tree.path);
  assert.match(near?.why?.evidence[0]?.what ?? "", /nearness by meaning/);
  const [named] = await search(["lease", "--mode", "hybrid", "--explain"], tree.path);
  assert.deepEqual([named?.file, named?.line], ["src/long.ts", 91]);
  const { evidence = [], next } = named?.why ?? {};
  assert.ok(evidence.some(({ what, value }) => /name/.test(what) && value === 1));
  assert.ok((next?.line ?? 0) > 91);
  assert.ok(next?.lacks.some(({ what, value }) => /name/.test(what) && value === 0));
  const unexplained = await search([question, "--semantic"], tree.path);
  assert.ok(unexplained.length > 0 && unexplained.every(({ why }) => why === undefined));
});

test("search --explain says of a file that only its path fits that no part of it was chosen by words", async () => {
  using tree = createTemporaryFolder({
    ...files,
    "src/lease.ts": "export const rows = [1, 2];\n",
  });
  await runCodetool(["index"], { workingDirectory: tree.path });
  for (const query of ["lease", "where is the lease kept"]) {
    const matches = await search([query, "--mode", "hybrid", "--explain"], tree.path);
    const found = matches.find(({ file }) => file === "src/lease.ts");
    assert.ok(found?.why !== undefined, query);
    assert.ok(found.why.evidence.length > 0, query);
    assert.equal(found.why.next, null, query);
  }
});

test("search --explain --plain writes the same below each match", async () => {
  using tree = createTemporaryFolder(files);
  const { stdout } = await runCodetool(
    ["search", "when are idle connections closed", "--explain", "--plain"],
    { workingDirectory: tree.path },
  );
  assert.match(stdout, /^ {2}why: words .*idle.*\(\+[\d.]+\)/m);
  assert.match(stdout, /^ {2}next in this file: line \d+ .*points behind; words /m);
});

test("search --explain gives a line the points that it has by itself, wherever its file comes", async () => {
  const whyOfWire = async (more: { readonly [path: string]: string }) => {
    using tree = createTemporaryFolder({ ...files, ...more });
    const matches = await search(["open", "--explain", "--top-k=100"], tree.path);
    return matches.filter(({ file }) => file === "src/wire.ts").map(({ why }) => why);
  };
  const before = await whyOfWire({});
  assert.deepEqual(
    before.map((why) => why?.evidence[0]?.what),
    ["its line defines what was searched for", "its line holds what was searched for"],
  );
  assert.ok((before[0]?.next?.points_behind ?? 0) > 0);
  const crowd = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `src/${at}/open.ts`,
      "export function open() {}\nopen();\nopen();\n",
    ]),
  );
  assert.deepEqual(await whyOfWire({ ...crowd, "src/a.ts": "open();\n" }), before);
});

test("search --explain says it of a qualified name, too", async () => {
  using tree = createTemporaryFolder(files);
  const [first] = await search(["Pool.acquire", "--explain"], tree.path);
  assert.equal(first?.why?.evidence[0]?.what, "its line defines what was searched for");
});
