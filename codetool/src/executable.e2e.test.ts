import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder, runProgram, startProgram, type ProgramExit } from "testkit";

const binary = process.env["CODETOOL_E2E_BINARY"] ?? "";
const nobody = 65_534;
const skip = binary === "" ? "needs the one-file executable: npm run test:executable" : false;

async function run(
  folder: string,
  args: readonly string[],
  environment: { readonly [name: string]: string | undefined } = {},
): Promise<ProgramExit> {
  return await runProgram(binary, args, {
    workingDirectory: folder,
    environment: { CODETOOL_CACHE_DIR: join(folder, "cache"), ...environment },
  });
}

function dataOf(exit: ProgramExit): { readonly [key: string]: unknown } {
  assert.equal(exit.code, 0, exit.stdout + exit.stderr);
  return (JSON.parse(exit.stdout) as { data: { readonly [key: string]: unknown } }).data;
}

const sources = {
  "a.ts": "export function f(): void {}\n",
  "b.py": "class B:\n    def m(self):\n        pass\n",
  "c.rs": "pub struct S;\n",
  "d.go": "package d\n\nfunc D() {}\n",
  "e.java": "class E { void m() {} }\n",
  "f.c": "int f(void) { return 1; }\n",
  "g.cpp": "class G { void m() {} };\n",
  "h.sh": "h() { :; }\n",
  "i.lua": "function i() end\n",
  "j.ex": "defmodule J do\nend\n",
  "k.hs": "k :: Int\nk = 1\n",
  "l.zig": "pub fn l() void {}\n",
};

test("the executable parses every language, alone with its cache", { skip }, async () => {
  using temporary = createTemporaryFolder();
  const folder = temporary.path;
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  for (const name of Object.keys(sources)) {
    const data = dataOf(await run(folder, ["outline", name], { PATH: "" }));
    assert.notDeepEqual(data["symbols"], [], name);
  }
});

test("the executable counts tokens exactly", { skip }, async () => {
  using temporary = createTemporaryFolder();
  writeFileSync(join(temporary.path, "a.txt"), "hello world\n");
  const exit = await run(temporary.path, ["read", "a.txt", "--budget", "500"]);
  assert.equal((dataOf(exit)["content"] as { tokens: number }).tokens, 3);
});

test(
  "the executable shows an indexed file's definitions without the parser, and parses what changed and kept its time",
  { skip },
  async () => {
    using temporary = createTemporaryFolder();
    const folder = temporary.path;
    const textOf = (name: string): string =>
      `export function ${name}(): void {\n  const harbour = 1;\n  return harbour;\n}\n${"// filler\n".repeat(99)}`;
    const path = join(folder, "a.ts");
    const search = async (cache: string): Promise<unknown> => {
      const environment = { CODETOOL_CACHE_DIR: join(folder, cache) };
      const exit = await run(folder, ["search", "const harbour"], environment);
      return (dataOf(exit)["matches"] as readonly { context_name: string }[])[0]?.context_name;
    };
    writeFileSync(path, textOf("before"));
    const { atime, mtime } = statSync(path);
    await run(folder, ["index"]);
    assert.equal(await search("unused"), "before");
    assert.equal(existsSync(join(folder, "unused")), false, "nothing was unpacked");
    writeFileSync(path, textOf("behind"));
    utimesSync(path, atime, mtime);
    assert.equal(await search("used"), "behind");
  },
);

test("the executable answers from an index that it may only read", { skip }, async () => {
  using temporary = createTemporaryFolder({ "tree/a.ts": "export function harbourMaster() {}\n" });
  const tree = join(temporary.path, "tree");
  await run(tree, ["index"], { CODETOOL_CACHE_DIR: join(temporary.path, "cache") });
  const setModes = (ofFolders: number, ofFiles: number): void => {
    chmodSync(tree, ofFolders);
    for (const name of readdirSync(tree, { recursive: true, encoding: "utf8" })) {
      const path = join(tree, name);
      chmodSync(path, statSync(path).isDirectory() ? ofFolders : ofFiles);
    }
  };
  setModes(0o555, 0o444);
  using _removable = { [Symbol.dispose]: () => setModes(0o755, 0o644) };
  chmodSync(temporary.path, 0o755);
  const cache = join(temporary.path, "cache of another");
  mkdirSync(cache, { mode: 0o700 });
  // The user who may do everything is stopped by no mode.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(cache, nobody, nobody);
  const ask = async (...args: string[]): Promise<unknown> => {
    const exit = await runProgram(binary, args, {
      workingDirectory: tree,
      environment: { CODETOOL_CACHE_DIR: cache },
      ...(isRoot ? { userId: nobody, groupId: nobody } : {}),
    });
    const { data, warnings, fallback } = JSON.parse(exit.stdout) as {
      readonly data: { readonly [key: string]: unknown };
      readonly warnings?: unknown;
      readonly fallback?: unknown;
    };
    assert.deepEqual([exit.code, fallback, warnings], [0, undefined, undefined], exit.stdout);
    return data;
  };
  assert.deepEqual(await ask("exists", "harbourMaster"), {
    exists: true,
    confidence: "exact",
    pattern: "harbourMaster",
  });
  assert.deepEqual(await ask("exists", "harbourPilot"), {
    exists: false,
    confidence: "exact",
    pattern: "harbourPilot",
  });
  for (const mode of ["literal", "bm25", "semantic"]) {
    const { matches } = (await ask("search", "harbourMaster", "--mode", mode)) as {
      readonly matches: readonly { readonly file: string }[];
    };
    assert.equal(matches[0]?.file, "a.ts", mode);
  }
});

test(
  "the executable indexes a tree in threads, and searches it by words and by meaning",
  { skip },
  async () => {
    using temporary = createTemporaryFolder();
    const folder = temporary.path;
    // From 3 MiB on the files are read in threads.
    const filler = `// ${"-".repeat(500)}\n`.repeat(900);
    for (const name of ["harbour", "parser", "queue", "retry", "cache", "router", "clock", "lamp"])
      writeFileSync(join(folder, `${name}.ts`), `export function ${name}Open() {}\n${filler}`);
    assert.equal(dataOf(await run(folder, ["index"]))["files_changed"], 8);
    for (const flags of [
      ["--mode", "bm25", "harbourOpen"],
      ["--semantic", "open the harbour"],
    ]) {
      const { matches } = dataOf(await run(folder, ["search", ...flags]));
      const [first] = matches as readonly { readonly file: string }[];
      assert.equal(first?.file, "harbour.ts", flags.join(" "));
    }
  },
);

test("the executable ignores what lies in the folder it is run in", { skip }, async () => {
  using temporary = createTemporaryFolder();
  const folder = temporary.path;
  writeFileSync(join(folder, "preload.js"), 'console.log("planted"); process.exit(3);\n');
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.js"]\n');
  writeFileSync(join(folder, ".env"), "CODETOOL_MAX_FILE_SIZE=nonsense\n");
  writeFileSync(
    join(folder, "package.json"),
    '{"type":"commonjs","imports":{"#x":"./preload.js"}}\n',
  );
  writeFileSync(
    join(folder, "tsconfig.json"),
    '{"compilerOptions":{"paths":{"*":["./preload.js"]}}}\n',
  );
  const exit = await run(folder, ["find", "--flat"]);
  assert.equal(exit.stderr, "");
  assert.equal((dataOf(exit)["flat"] as unknown[]).length, 5);
});

test("the executable replaces damaged and foreign files of its cache", { skip }, async () => {
  using temporary = createTemporaryFolder();
  const folder = temporary.path;
  writeFileSync(join(folder, "a.ts"), sources["a.ts"]);
  dataOf(await run(folder, ["outline", "a.ts"]));
  const native = join(folder, "cache", "native");
  const [hash = ""] = readdirSync(native);
  const [name = ""] = readdirSync(join(native, hash));
  const path = join(native, hash, name);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(native).mode & 0o777, 0o700);
  const sizeBytes = statSync(path).size;
  truncateSync(path, 1000);
  dataOf(await run(folder, ["outline", "a.ts"]));
  assert.equal(statSync(path).size, sizeBytes);
  chmodSync(path, 0o666);
  dataOf(await run(folder, ["outline", "a.ts"]));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(native, hash)), [name]);
});

test("the executable goes on to another folder where its cache cannot be", { skip }, async () => {
  using temporary = createTemporaryFolder();
  const folder = temporary.path;
  writeFileSync(join(folder, "a.ts"), sources["a.ts"]);
  writeFileSync(join(folder, "file"), "");
  mkdirSync(join(folder, "tmp"));
  const nowhere = join(folder, "file", "below");
  const environment = { CODETOOL_CACHE_DIR: nowhere, XDG_CACHE_HOME: nowhere, HOME: nowhere };
  dataOf(await run(folder, ["outline", "a.ts"], { ...environment, TMPDIR: join(folder, "tmp") }));
});

test(
  "the executable parses from memory where no folder can be written to and run from",
  { skip: skip || (process.platform === "linux" ? false : "only Linux has files in memory") },
  async () => {
    using tree = createTemporaryFolder(sources);
    using temporary = createTemporaryFolder();
    const [folder, tmp] = [tree.path, temporary.path];
    const nowhere = join(folder, "a.ts", "below");
    // What the temporary directory has for unpacked libraries is a file: that place fails, and names can be made.
    writeFileSync(join(tmp, `codetool-${process.getuid?.()}`), "");
    const environment = { CODETOOL_CACHE_DIR: nowhere, XDG_CACHE_HOME: nowhere, TMPDIR: tmp };
    for (const name of Object.keys(sources)) {
      const exit = await run(folder, ["outline", name, "--no-fallback"], environment);
      assert.notDeepEqual(dataOf(exit)["symbols"], [], name);
    }
    const indexed = await run(folder, ["index", "--no-fallback"], environment);
    assert.equal(dataOf(indexed)["files_indexed"], Object.keys(sources).length);
    assert.deepEqual(readdirSync(tmp), [`codetool-${process.getuid?.()}`], "nothing is left there");
  },
);

test("many executables that start at once share one cache", { skip }, async () => {
  using temporary = createTemporaryFolder();
  const folder = temporary.path;
  writeFileSync(join(folder, "b.py"), sources["b.py"]);
  const exits = await Promise.all(
    Array.from({ length: 6 }, () => run(folder, ["outline", "b.py"])),
  );
  for (const exit of exits) assert.notDeepEqual(dataOf(exit)["symbols"], []);
});

test(
  "a batch of the executable keeps nothing of the states of the tree before",
  { skip: skip || (process.platform === "linux" ? false : "needs /proc") },
  async () => {
    const modules = Array.from({ length: 200 }, (_, index): [string, string] => [
      `src/module${index}.ts`,
      `export function handle${index}(): number {\n  return ${index};\n}\n`,
    ]);
    using tree = createTemporaryFolder({ "counter.txt": "0\n", ...Object.fromEntries(modules) });
    await run(tree.path, ["index"]);
    await using batch = startProgram(binary, ["batch"], {
      workingDirectory: tree.path,
      keepInput: true,
    });
    const memoryMiB = (): number => {
      const status = readFileSync(`/proc/${batch.process.pid}/status`, "utf8");
      return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1024;
    };
    const changeTo = async (last: number): Promise<number> => {
      for (let count = last - 249; count <= last; count += 1) {
        const edit = {
          cmd: "edit",
          file: "counter.txt",
          find: `${count - 1}`,
          replace: `${count}`,
        };
        const lines = [
          { ...edit, apply: true },
          { cmd: "exists", pattern: "handle7", id: `after ${count}` },
        ];
        batch.process.stdin?.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      }
      await batch.waitFor(new RegExp(`"after ${last}"`));
      return memoryMiB();
    };
    const before = await changeTo(250);
    const after = await changeTo(500);
    // What each state holds is a quarter of a mebibyte here.
    assert.ok(after - before < 30, `${before.toFixed(0)} MiB, then ${after.toFixed(0)} MiB`);
  },
);
