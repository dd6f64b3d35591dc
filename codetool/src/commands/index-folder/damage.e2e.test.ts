/** Whatever happens to the files of an index: an answer is right, or says what it went without. */
import assert from "node:assert/strict";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, repetitions } from "testkit";
import { type Answer, runBatch, runCodetool } from "../../cli/test-support/codetool.ts";

async function answers(
  args: readonly string[],
  workingDirectory: string,
): Promise<{ readonly code: number | null; readonly envelope: Answer }> {
  const exit = await runCodetool(args, { workingDirectory });
  assert.equal(exit.stderr, "", args.join(" "));
  assert.doesNotMatch(exit.stdout, /\n\s+at /);
  return { code: exit.code, envelope: JSON.parse(exit.stdout) as Answer };
}

const files = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [
    `src/f${index}.ts`,
    `/** Waits and tries number ${index} again. */\nexport function retry${index}(delay: number) {\n  return delay * ${index};\n}\n`.repeat(
      4,
    ),
  ]),
);

/** What an answer says, without what differs between an index and none. */
function sayingOf({ data }: Answer): unknown {
  const { matches, exists } = data as {
    matches?: readonly { file: string; line: number }[];
    exists?: boolean;
  };
  return exists ?? matches?.map(({ file, line }) => `${file}:${line}`);
}

const queries = [
  { cmd: "search", query: "retry number 17 with delay", mode: "bm25" },
  { cmd: "search", query: "waits for number 3 again", semantic: true },
  { cmd: "exists", pattern: "number 29 again", exact: true },
  { cmd: "exists", pattern: "number 30 again" },
] as const;

function askIn(cwd: string): object[] {
  return queries.map((query) => ({ ...query, cwd }));
}

/** A number from 0 to 1, the same in every run of the tests. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("truncated and bit-flipped index files: every answer is right, damage that was met is said, index repairs", async () => {
  using folder = createTemporaryFolder();
  const whole = join(folder.path, "whole");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(whole, "src"), { recursive: true });
    writeFileSync(join(whole, path), text);
  }
  cpSync(whole, join(folder.path, "plain"), { recursive: true });
  assert.equal((await answers(["index", "whole"], folder.path)).code, 0);
  const [right] = [
    (await runBatch(askIn("plain"), { workingDirectory: folder.path })).map(sayingOf),
  ];
  assert.deepEqual(
    (await runBatch(askIn("whole"), { workingDirectory: folder.path })).map(sayingOf),
    right,
  );
  const names = readdirSync(join(whole, ".codetool/index")).filter((name) => /\./.test(name));
  assert.deepEqual(
    names.sort().join(" "),
    "bloom.bin chunks.bin embeddings.bin imports.bin meta.json sparse.bin symbols.bin",
  );
  const random = makeRandom(5);
  const damaged: string[] = [];
  const damage = (name: string, harm: (path: string) => void): void => {
    // Without digits: the name of a project counts for its searches.
    const own = `d${"abcdefghij"[Math.floor(damaged.length / 10)]}${"abcdefghij"[damaged.length % 10]}`;
    cpSync(whole, join(folder.path, own), { recursive: true, preserveTimestamps: true });
    harm(join(folder.path, own, ".codetool/index", name));
    damaged.push(own);
  };
  for (const name of names) {
    const { size } = statSync(join(whole, ".codetool/index", name));
    for (const length of [0, Math.floor(size * random()), size - 1])
      damage(name, (path) => truncateSync(path, Math.min(length, size - 1)));
    for (let round = 0; round < repetitions(3); round += 1)
      damage(name, (path) => {
        const bytes = readFileSync(path);
        const place = Math.floor((round < 2 ? Math.min(size, 4096) : size) * random());
        bytes[place] = (bytes[place] as number) ^ (1 << Math.floor(8 * random()));
        writeFileSync(path, bytes);
      });
  }
  const said = await runBatch(
    damaged.flatMap((own) => askIn(own)),
    { workingDirectory: folder.path },
  );
  let warnedCount = 0;
  for (const [index, own] of damaged.entries()) {
    const own4 = said.slice(queries.length * index, queries.length * (index + 1));
    assert.deepEqual(own4.map(sayingOf), right, own);
    if (own4.some(({ warnings = [] }) => warnings.some((text) => /left aside/.test(text))))
      warnedCount += 1;
  }
  // Flips in what no answer reads stay unseen: the hashes of meta.json, say.
  assert.ok(warnedCount > 0.6 * damaged.length, `${warnedCount} of ${damaged.length}`);
  for (const own of damaged.filter((_, index) => index % 9 === 3)) {
    const { code, envelope } = await answers(["index", own], folder.path);
    assert.deepEqual([code, envelope.data["files_indexed"]], [0, 30]);
    const after = await runBatch(askIn(own), { workingDirectory: folder.path });
    assert.deepEqual(after.map(sayingOf), right);
    for (const { warnings = [] } of after) assert.doesNotMatch(warnings.join(" "), /left aside/);
  }
});

test("what is no index in the place of one: answers are right and say so, index repairs what is its own", async () => {
  using folder = createTemporaryFolder(files);
  const root = folder.path;
  const ask = async () => await runBatch(askIn("."), { workingDirectory: root });
  const right = (await ask()).map(sayingOf);
  const place = join(root, ".codetool/index");
  const harms: { readonly [name: string]: () => void } = {
    "an older version": () => replaceInMeta(place, /"version": \d+/, '"version": 1'),
    "a newer version": () => replaceInMeta(place, /"version": \d+/, '"version": 999'),
    "a foreign file": () => writeFileSync(join(place, "sparse.bin"), "PK".repeat(9000)),
    "a foreign meta.json": () => writeFileSync(join(place, "meta.json"), "[1, 2]"),
    "a folder for a file": () => {
      for (const name of ["chunks.bin", "meta.json", "lock", "meta.json.new"]) {
        rmSync(join(place, name), { force: true });
        mkdirSync(join(place, name, "deep"), { recursive: true });
      }
    },
    "a link for a file": () => {
      renameSync(join(place, "bloom.bin"), join(root, ".codetool/elsewhere.bin"));
      symlinkSync("../elsewhere.bin", join(place, "bloom.bin"));
    },
    "a file for the segments": () => {
      rmSync(join(place, "segments"), { recursive: true });
      writeFileSync(join(place, "segments"), "x");
      truncateSync(join(place, "chunks.bin"), 10);
    },
    "a missing file": () => rmSync(join(place, "symbols.bin")),
  };
  assert.equal((await answers(["index"], root)).code, 0);
  for (const [name, harm] of Object.entries(harms)) {
    harm();
    const said = await ask();
    assert.deepEqual(said.map(sayingOf), right, name);
    const remarks = said.flatMap(({ warnings = [] }) => warnings).join("\n");
    assert.match(remarks, /The index was left aside, ".*": .*; `codetool index` repairs it/, name);
    const { code, envelope } = await answers(["index"], root);
    assert.equal(code, 0, `${name}: ${envelope.error?.message}`);
    assert.equal(envelope.data["files_indexed"], 30, name);
    assert.match((envelope.warnings ?? []).join("\n"), /The index was rebuilt, "/, name);
    const after = await ask();
    assert.deepEqual(after.map(sayingOf), right, name);
    assert.doesNotMatch(JSON.stringify(after), /left aside/, name);
    assert.deepEqual(
      readdirSync(place).sort(),
      [
        "bloom.bin",
        "chunks.bin",
        "embeddings.bin",
        "imports.bin",
        "meta.json",
        "segments",
        "sparse.bin",
        "symbols.bin",
      ],
      name,
    );
  }
});

function replaceInMeta(place: string, what: RegExp, by: string): void {
  const path = join(place, "meta.json");
  writeFileSync(path, readFileSync(path, "utf8").replace(what, by));
}

test(".codetool as a file, or as a link out of the tree: nothing is written there", async () => {
  using folder = createTemporaryFolder({ "tree/a.ts": "export const alpha = 1;\n" });
  const root = join(folder.path, "tree");
  const place = join(root, ".codetool");
  writeFileSync(place, "mine");
  const overFile = await answers(["index"], root);
  assert.deepEqual([overFile.code, overFile.envelope.error?.code], [1, "invalid_argument"]);
  assert.match(overFile.envelope.error?.message ?? "", /\.codetool": it is not a folder/);
  assert.equal(readFileSync(place, "utf8"), "mine");
  const found = await answers(["search", "--mode", "bm25", "alpha"], root);
  assert.deepEqual([found.code, sayingOf(found.envelope)], [0, ["a.ts:1"]]);
  rmSync(place);
  mkdirSync(join(folder.path, "outside/index"), { recursive: true });
  writeFileSync(join(folder.path, "outside/index/meta.json"), "{}");
  symlinkSync(join(folder.path, "outside"), place);
  const overLink = await answers(["index"], root);
  assert.deepEqual([overLink.code, overLink.envelope.error?.code], [1, "invalid_argument"]);
  assert.deepEqual(readdirSync(join(folder.path, "outside")), ["index"]);
  const beside = await answers(["search", "--mode", "bm25", "alpha"], root);
  assert.deepEqual([beside.code, sayingOf(beside.envelope)], [0, ["a.ts:1"]]);
  assert.match((beside.envelope.warnings ?? []).join("\n"), /left aside, ".*": it is a link/);
});

test("index files that may not be read: said, and repaired by who may write the folder", async (context) => {
  if (process.platform === "win32") {
    context.skip("there are no modes here");
    return;
  }
  using folder = createTemporaryFolder({ "tree/a.ts": "export const alpha = 1;\n" });
  const root = join(folder.path, "tree");
  // The user who may do everything reads them all the same: another one is asked.
  const nobody = 65_534;
  const user = process.getuid?.() === 0 ? { userId: nobody, groupId: nobody } : {};
  if ("userId" in user) for (const path of [folder.path, root]) chownSync(path, nobody, nobody);
  const ask = async (...args: string[]): Promise<Answer> => {
    const options = { workingDirectory: root, ...user };
    const exit = await runCodetool(args, options);
    assert.deepEqual([exit.code, exit.stderr], [0, ""]);
    return JSON.parse(exit.stdout) as Answer;
  };
  await ask("index");
  for (const name of ["sparse.bin", "meta.json"]) {
    chmodSync(join(root, ".codetool/index", name), 0);
    const found = await ask("search", "--mode", "bm25", "alpha");
    assert.deepEqual(sayingOf(found), ["a.ts:1"]);
    assert.match(String(found.warnings), /left aside, ".*": it cannot be read \(EACCES\)/);
    assert.match(String((await ask("index")).warnings), /was rebuilt/);
    assert.doesNotMatch(
      String((await ask("search", "--mode", "bm25", "alpha")).warnings),
      /left aside/,
    );
  }
});
