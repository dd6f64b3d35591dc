/** The token economy on a repository of two files, with the real command line. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  codetoolLauncher,
  createTemporaryFolder,
  createTemporaryRepository,
  runProgram,
  skipUnless,
} from "testkit";
import type { EconomyResults } from "./token-economy/summarize.ts";
import { type EconomyTask, taskKinds } from "./token-economy/task.ts";

const script = fileURLToPath(new URL("token-economy.ts", import.meta.url));
const launcher = codetoolLauncher();
const skip = skipUnless("rg");

const sources = {
  "src/greet.ts": "export function greet(name: string): string {\n  return `Hello, ${name}`;\n}\n",
  "src/main.ts": 'import { greet } from "./greet.ts";\n\nconsole.log(greet("you"));\n',
};

/** Three tasks of other content and seventeen alike; the first lies about what is to be found. */
function tasksWith(special: { readonly [index: number]: Partial<EconomyTask> }): EconomyTask[] {
  return taskKinds.map((kind, index) => ({
    kind,
    question: "Is greet there?",
    codetool: "codetool exists greet --exact",
    unix: ["rg -l greet"],
    proof: { codetool: ['"exists":true'], unix: ["greet\\.ts"] },
    ...special[index],
  }));
}

async function economy(
  special: { readonly [index: number]: Partial<EconomyTask> },
  { isDirty = false } = {},
) {
  using repository = createTemporaryRepository(sources);
  const commit = repository.git("rev-parse", "HEAD").trim();
  const tasks = {
    name: basename(repository.path),
    repository: "own/tiny",
    commit,
    tasks: tasksWith(special),
  };
  using folder = createTemporaryFolder({
    "tasks/tiny.json": JSON.stringify(tasks),
    codetool: `#!/bin/sh\nexec "${process.execPath}" --conditions=agentrt-source "${launcher}" "$@"\n`,
  });
  await runProgram("chmod", ["755", join(folder.path, "codetool")]);
  if (isDirty) writeFileSync(join(repository.path, "src/greet.ts"), "");
  const out = join(folder.path, "out.json");
  const exit = await runProgram(process.execPath, [
    "--conditions=agentrt-source",
    script,
    dirname(repository.path),
    `--tasks=${join(folder.path, "tasks")}`,
    `--codetool=${join(folder.path, "codetool")}`,
    `--out=${out}`,
  ]);
  const status = repository.git("status", "--porcelain");
  const results =
    exit.code === 0 ? (JSON.parse(readFileSync(out, "utf8")) as EconomyResults) : undefined;
  return { exit, status, results };
}

test(
  "each side is run and counted, a missing proof told, and changes taken back",
  { skip },
  async () => {
    const { exit, status, results } = await economy({
      0: { proof: ["nowhere to be found"] },
      1: {
        codetool: "codetool read src/greet.ts --if-changed {hash:src/greet.ts}",
        unix: ["cat src/greet.ts", "cat src/greet.ts"],
        proof: { codetool: ['"cached":true'], unix: ["Hello"] },
      },
      2: {
        codetool: "codetool read src/greet.ts",
        unix: ["git diff"],
        proof: ["Good morning"],
        changes: [{ file: "src/greet.ts", find: "Hello", replace: "Good morning" }],
      },
    });
    assert.equal(exit.code, 0, exit.stderr);
    assert.match(exit.stdout, /codetool: 19 of 20 answered by both, 1 failed here/);
    assert.equal(status, "");
    const [lying, cached, changed, plainTask] = results?.tasks ?? [];
    assert.deepEqual(lying?.codetool.missing, ["nowhere to be found"]);
    assert.deepEqual(lying?.unix.missing, ["nowhere to be found"]);
    assert.deepEqual(cached?.codetool.missing, []);
    assert.equal(cached?.unix.tokens, 2 * (cached?.unix.firstTokens ?? 0));
    // "export function greet(name: string): string {", 10 tokens, and what follows.
    assert.ok((cached?.unix.firstTokens ?? 0) > 10 && (cached?.unix.firstTokens ?? 0) < 40);
    assert.deepEqual(changed?.codetool.missing, []);
    assert.deepEqual(changed?.plain.missing, []);
    assert.deepEqual(changed?.unix.missing, []);
    assert.ok((plainTask?.plain.tokens ?? 99) < (plainTask?.codetool.tokens ?? 0));
  },
);

test(
  "a change that does not stand in the file exactly once ends the run and leaves the tree",
  { skip },
  async () => {
    const { exit, status } = await economy({
      5: {
        changes: [
          { file: "src/greet.ts", find: "Hello", replace: "Bye" },
          { file: "src/greet.ts", find: "name", replace: "who" },
        ],
      },
    });
    assert.equal(exit.code, 1);
    assert.match(
      exit.stderr,
      /Cannot change "src\/greet\.ts": the text occurs in it 2 times, wanted once/,
    );
    assert.equal(status, "");
  },
);

test(
  "a checkout with changes, and one that is not there, are refused by name",
  { skip },
  async () => {
    const { exit } = await economy({}, { isDirty: true });
    assert.equal(exit.code, 2);
    assert.match(exit.stderr, /^token-economy: ".*" has changes, wanted none$/m);
    using empty = createTemporaryFolder();
    const missing = await runProgram(process.execPath, [
      "--conditions=agentrt-source",
      script,
      empty.path,
      `--codetool=${launcher}`,
    ]);
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /there is no checkout ".*aiohttp": git clone https:\/\/github\.com\/aio-libs\/aiohttp .* checkout fc67cfdfd/,
    );
  },
);
