import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { indexCommand } from "../index-folder/command.ts";
import { executeCommand } from "../execute-command.ts";
import { searchCommand } from "./command.ts";

interface Page {
  readonly places: readonly string[];
  readonly token: string | null;
  readonly mode: string;
  readonly warnings: string;
}

async function search(root: string, input: { readonly [name: string]: unknown }): Promise<Page> {
  const context = { workingDirectory: root, environment: {} };
  const outcome = await executeCommand(searchCommand, input, context);
  if ("error" in outcome) throw outcome.error;
  const data = outcome.data as {
    readonly matches: readonly { readonly file: string; readonly line: number }[];
    readonly continuation_token: string | null;
    readonly mode: string;
  };
  return {
    places: data.matches.map(({ file, line }) => `${file}:${line}`),
    token: data.continuation_token,
    mode: data.mode,
    warnings: (outcome.warnings ?? []).join("\n"),
  };
}

async function index(root: string, input = {}): Promise<void> {
  await executeCommand(indexCommand, input, { workingDirectory: root, environment: {} });
}

/** Modules that resemble each other. */
function makeTree(): ReturnType<typeof createTemporaryFolder> {
  const files: { [path: string]: string } = {};
  for (let part = 0; part < 12; part += 1)
    files[`src/part-${part}.ts`] =
      `/** Schedules retries of part ${part}. */\nexport function scheduleRetry${part}(delay: number) {\n  return plan(delay * ${part});\n}\n`;
  return createTemporaryFolder(files);
}

const searches: readonly { readonly [name: string]: unknown }[] = [
  { query: "plan(", literal: true },
  { query: "scheduleRetry\\d+", regex: true },
  { query: "plan($A)", structural: true },
  { query: "where are retries scheduled" },
  { query: "where are retries scheduled", mode: "bm25" },
  { query: "try again later", semantic: true },
  { query: "where are retries scheduled", ranker: "rrf" },
  // What is said as it is written comes before what is ranked, and not again after it.
  { query: "Schedules retries of part 7." },
];

/** All pages from the first on; between two of them something happens. */
async function pagesOf(
  root: string,
  input: { readonly [name: string]: unknown },
  between: () => Promise<void> = async () => {},
): Promise<{ readonly places: readonly string[]; readonly warnings: string }> {
  const places: string[] = [];
  let warnings = "";
  let token: string | null = null;
  do {
    const page: Page = await search(root, {
      ...input,
      top_k: 3,
      ...(token === null ? {} : { continue: token }),
    });
    places.push(...page.places);
    warnings += page.warnings;
    token = page.token;
    await between();
  } while (token !== null);
  return { places, warnings };
}

test("search --continue goes on in every mode when the index is updated or built anew between pages", async () => {
  using tree = makeTree();
  await index(tree.path);
  for (const input of searches) {
    const whole = await pagesOf(tree.path, input);
    assert.equal(new Set(whole.places).size, whole.places.length, JSON.stringify(input));
    assert.ok(whole.places.length > 3, JSON.stringify(input));
    for (const isRebuild of [false, true]) {
      const again = await pagesOf(tree.path, input, () =>
        index(tree.path, isRebuild ? { rebuild: true } : {}),
      );
      assert.deepEqual(again, whole, JSON.stringify(input));
    }
  }
});

test("search --continue says in every mode that files have changed, indexed or not", async () => {
  using tree = makeTree();
  await index(tree.path);
  const added = join(tree.path, "src/new.ts");
  for (const input of searches)
    for (const isIndexed of [false, true]) {
      const first = await search(tree.path, { ...input, top_k: 2 });
      writeFileSync(added, "/** Schedules retries. */\nplan(1);\nfunction scheduleRetry99() {}\n");
      if (isIndexed) await index(tree.path);
      const next = await search(tree.path, { ...input, top_k: 2, continue: first.token });
      assert.match(next.warnings, /Files have changed/, JSON.stringify(input));
      rmSync(added);
      await index(tree.path);
    }
});

test("search --continue says so in every mode where content changed behind the same size and time", async () => {
  using tree = makeTree();
  const path = join(tree.path, "src/part-7.ts");
  const before = readFileSync(path, "utf8");
  for (const isIndexed of [false, true]) {
    if (isIndexed) await index(tree.path);
    for (const input of searches) {
      const time = statSync(path).mtime;
      const first = await search(tree.path, { ...input, top_k: 2 });
      const same = await search(tree.path, { ...input, top_k: 2, continue: first.token });
      assert.doesNotMatch(same.warnings, /changed/, JSON.stringify(input));
      writeFileSync(path, before.replace("plan", "span"));
      utimesSync(path, time, time);
      const next = await search(tree.path, { ...input, top_k: 2, continue: first.token });
      assert.match(next.warnings, /Files have changed/, `${isIndexed} ${JSON.stringify(input)}`);
      writeFileSync(path, before);
      utimesSync(path, time, time);
    }
  }
});

test("search --continue needs the index again that gave the order, and says when one was made since", async () => {
  using tree = makeTree();
  for (const input of searches) {
    const isScan = input["literal"] ?? input["regex"] ?? input["structural"] ?? false;
    await index(tree.path);
    const indexed = await search(tree.path, { ...input, top_k: 2 });
    rmSync(join(tree.path, ".codetool"), { recursive: true });
    const goOn = search(tree.path, { ...input, top_k: 2, continue: indexed.token });
    if (isScan === true) assert.equal((await goOn).warnings, "");
    else await assert.rejects(goOn, { code: "index_missing", message: /one that is gone/ });

    const plain = await search(tree.path, { ...input, top_k: 2 });
    await index(tree.path);
    const next = await search(tree.path, { ...input, top_k: 2, continue: plain.token });
    if (next.mode === plain.mode) assert.doesNotMatch(next.warnings, /have changed/);
    else assert.match(next.warnings, /an index was made/);
    const whole = await search(tree.path, { ...input, top_k: 4 });
    if (next.mode === plain.mode)
      assert.deepEqual([...plain.places, ...next.places], whole.places, JSON.stringify(input));
  }
});
