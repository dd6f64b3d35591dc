/**
 * Every path of every answer, given back from the same working directory, is the file meant: `cat` and `git` are the judges,
 * then codetool's own `read` and `edit`. What is a path in an answer stands in a table by field; a field that is not in the
 * table fails the test, so that a new one is looked at too.
 */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import * as fc from "fast-check";
import { createTemporaryFolder, createTemporaryRepository } from "testkit";
import { type Answer, runBatch, runCodetool } from "../../cli/test-support/codetool.ts";

type Role =
  | "root"
  /** A file. */
  | "path"
  /** A file or a folder. */
  | "place"
  /** A path, a colon, and more. */
  | "path:"
  | "text";

/** What each string is, by command and field; `{}` is any key, `{key}` a key itself. */
const roles: { readonly [command: string]: { readonly [field: string]: Role } } = {
  search: {
    root: "root",
    "matches[].file": "path",
    "matches[].match": "text",
    "matches[].context_type": "text",
    "matches[].context_name": "text",
    "matches[].context_signature": "text",
    "matches[].snippet": "text",
    "matches[].language": "text",
    "matches[].hash": "text",
    "matches[].captures[].name": "text",
    "matches[].captures[].text": "text",
    continuation_token: "text",
    mode: "text",
  },
  find: {
    root: "root",
    "flat[].path": "path",
    "flat[].language": "text",
    "tree{path}": "path",
    "tree{}.language": "text",
  },
  read: {
    root: "root",
    file: "path",
    "meta.language": "text",
    "meta.hash": "text",
    "content.text": "text",
    "outline[].name": "text",
    "outline[].kind": "text",
    "outline[].signature": "text",
  },
  outline: {
    root: "root",
    file: "place",
    language: "text",
    "symbols[].name": "text",
    "symbols[].kind": "text",
    "symbols[].signature": "text",
    "symbols[].file": "path",
  },
  context: {
    root: "root",
    target: "place",
    kind: "text",
    "doc.source": "path",
    "doc.text": "text",
    "entrypoints[].name": "text",
    "entrypoints[].kind": "text",
    "entrypoints[].file": "path",
    "entrypoints[].signature": "text",
    "files[].path": "path",
    "files[].language": "text",
    "files[].skeleton[]": "text",
    "edges.imports_in[].file": "path",
    "edges.imports_in[].symbols[]": "text",
    "edges.imports_out[].file": "path",
    "edges.imports_out[].symbols[]": "text",
  },
  impact: {
    root: "root",
    target: "path",
    symbol: "text",
    "exports[]": "text",
    "dependents[].file": "path",
    "dependents[].via": "path",
    "dependents[].symbols_used[]": "text",
    "dependents[].confidence": "text",
  },
  map: {
    root: "root",
    target: "place",
    "files[].path": "path",
    "files[].symbols[]": "text",
  },
  explain: {
    root: "root",
    symbol: "text",
    "definition.name": "text",
    "definition.kind": "text",
    "definition.file": "path",
    "definition.signature": "text",
    "definition.doc": "text",
    "definition.code": "text",
    "callers[].file": "path",
    "callers[].in": "text",
    "callers[].text": "text",
    "callers[].confidence": "text",
    "callees[].name": "text",
    "callees[].kind": "text",
    "callees[].file": "path",
    "callees[].signature": "text",
    "callees[].confidence": "text",
    "changes[].commit": "text",
    "changes[].date": "text",
    "changes[].author": "text",
    "changes[].subject": "text",
    "others[].name": "text",
    "others[].kind": "text",
    "others[].file": "path",
  },
  diff: {
    root: "root",
    summary: "text",
    "stats.functions_changed[]": "path:",
    "semantic_notes[]": "path:",
    "files{key}": "path",
    "files{}": "text",
    "functions[].file": "path",
    "functions[].function": "text",
    "functions[].change": "text",
    "hunks[].file": "path",
    "hunks[].function": "text",
    "hunks[].changes[].type": "text",
    "hunks[].changes[].old": "text",
    "hunks[].changes[].new": "text",
  },
  edit: {
    root: "root",
    file: "path",
    "changes[].function": "text",
    "changes[].before": "text",
    "changes[].after": "text",
    syntax_error: "text",
    hash_before: "text",
    hash_after: "text",
    "files[].file": "path",
    "files[].changes[].function": "text",
    "files[].changes[].before": "text",
    "files[].changes[].after": "text",
    "files[].syntax_error": "text",
    "files[].hash_before": "text",
    "files[].hash_after": "text",
  },
  exists: { confidence: "text", pattern: "text" },
  index: { path: "root", timestamp: "text" },
  run: {
    tool: "text",
    summary: "text",
    tail: "text",
    "failures[].name": "text",
    "failures[].location": "path:",
    "failures[].message": "text",
    "warnings[].name": "text",
    "warnings[].location": "path:",
    "warnings[].message": "text",
  },
};

/** Puts files into a tree whose names no answer can write. */
function addOddNames(root: string): void {
  const place = (name: string): Buffer => Buffer.from(`${root}/${name}`, "latin1");
  mkdirSync(place("odd\xe9"));
  for (const name of ["\xe9.ts", "\xff.txt", "odd\xe9/a.ts"])
    writeFileSync(place(name), "export const odd = 1;\n");
}

interface Found {
  readonly path: string;
  readonly role: Role;
  /** The answer says that it may name no file. */
  readonly mayBeNone: boolean;
  /** Texts beside it, which may say whose it is. */
  readonly beside: string;
}

/** All paths of an answer; throws for a string whose field the table does not have. */
function pathsOf(
  command: string,
  { data, warnings = [] }: Pick<Answer, "data" | "warnings">,
): Found[] {
  const isOddSaid = warnings.some((warning) => warning.includes("names no file"));
  const found: Found[] = [];
  const table = roles[command] ?? {};
  const add = (field: string, value: string, owner: object): void => {
    const role = table[field];
    assert.ok(role !== undefined, `${command}: say what "${field}" is: ${value}`);
    if (role === "text") return;
    const path = role === "path:" ? value.slice(0, value.indexOf(":")) : value;
    // Only git tells of such a file, and the answer says that the path is none.
    const mayBeNone = command === "diff" && isOddSaid && path.includes("\uFFFD");
    found.push({ path, role, mayBeNone, beside: JSON.stringify(owner) });
  };
  const walk = (value: unknown, field: string, owner: object): void => {
    if (typeof value === "string") add(field, value, owner);
    else if (Array.isArray(value))
      for (const item of value) walk(item, `${field}[]`, isObject(item) ? item : owner);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        if (field === "" && command === "find" && key === "tree") addTree(inner, "");
        else if (field === "stats" && key === "languages") continue;
        else if (field === "files" && command === "diff") {
          add("files{key}", key, {});
          walk(inner, "files{}", value);
        } else walk(inner, field === "" ? key : `${field}.${key}`, value);
      }
  };
  const addTree = (node: unknown, above: string): void => {
    for (const [key, inner] of Object.entries(node ?? {}))
      if (key.endsWith("/")) addTree(inner, above + key);
      else {
        add("tree{path}", above + key, {});
        walk(inner, "tree{}", {});
      }
  };
  // Symbols nest in an outline.
  const flat = command === "outline" ? { ...data, symbols: flattened(data) } : data;
  walk(flat, "", {});
  return found;
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function flattened(data: object): object[] {
  const all: object[] = [];
  const add = (symbol: { readonly children?: readonly object[] }): void => {
    const { children = [], ...own } = symbol;
    all.push(own);
    children.forEach(add);
  };
  (data as { readonly symbols: readonly object[] }).symbols.forEach(add);
  return all;
}

const folderNames = ["x", "lib", "y z", "[n]"];
/** The last is what shows of a name that is not UTF-8. */
const fileNames = ["a.ts", "b c.ts", "index.ts", "ü.ts", "{d}.ts", "\uFFFD.ts"];
/** The same names at several depths. */
const filePath = fc
  .tuple(fc.array(fc.constantFrom(...folderNames), { maxLength: 3 }), fc.constantFrom(...fileNames))
  .map(([folders, name]) => [...folders, name].join("/"));
const scene = fc.record({
  paths: fc.uniqueArray(filePath, { minLength: 3, maxLength: 8 }),
  pick: fc.nat(1000),
  /** Relative, absolute or behind a link. */
  way: fc.nat(2),
  place: fc.nat(1000),
  hasIndex: fc.boolean(),
  /** Files and folders with names that are not UTF-8. */
  hasOddNames: fc.boolean(),
});
/** A name as it is shown, of a file that is there and of one that cannot be named. */
const twins = {
  paths: ["a.ts", "x/\uFFFD.ts", "\uFFFD.ts"],
  pick: 2,
  way: 0,
  place: 0,
  hasIndex: true,
  hasOddNames: true,
};

/** The content of a file: what only it has, and the import of the one before. */
function contentOf(paths: readonly string[], index: number): string {
  const own = paths[index] ?? "";
  const before = index === 0 ? undefined : paths[index - 1];
  const way = before === undefined ? "" : relative(dirname(own), before);
  const specifier = way.startsWith(".") ? way : `./${way}`;
  const head =
    before === undefined ? "" : `import { fn${index - 1} } from ${JSON.stringify(specifier)};\n`;
  const call = before === undefined ? "0" : `fn${index - 1}()`;
  return `${head}// only${index}own\nexport function fn${index}(): number {\n  return ${call} + ${index};\n}\n`;
}

interface Tree {
  readonly root: string;
  readonly paths: readonly string[];
  /** By inode, which file of `paths` it is. */
  readonly numberOf: (path: string, cwd: string) => number | undefined;
}

/** Looks a path up as the system does: `join` would take `..` off by name. */
function statAt(path: string, cwd: string) {
  return statSync(path.startsWith("/") ? path : `${cwd}/${path}`);
}

function treeOf(root: string, paths: readonly string[]): Tree {
  const numbers = new Map(paths.map((path, index) => [statSync(join(root, path)).ino, index]));
  return { root, paths, numberOf: (path, cwd) => numbers.get(statAt(path, cwd).ino) };
}

interface Asked {
  readonly request: { readonly cmd: string; readonly [name: string]: unknown };
  /** The files that have to be named, where all of them are known. */
  readonly files?: readonly number[];
}

/** Prints a file and fails, as a compiler does. */
const failing = 'cat "$1"; exit 2';

/** Requests of every command, about a path as it is named from the working directory. */
function requestsFor(
  tree: Tree,
  named: {
    readonly folder: string;
    readonly file: string;
    readonly number: number;
    /** A file that holds what a compiler printed. */
    readonly printed: string;
  },
): Asked[] {
  const { folder, file, number } = named;
  const all = tree.paths.map((_, index) => index);
  return [
    { request: { cmd: "search", query: `only${number}own`, path: folder }, files: [number] },
    { request: { cmd: "search", query: "fn", path: folder, literal: true, top_k: 50 }, files: all },
    { request: { cmd: "search", query: "where is a number returned", path: folder, hash: true } },
    { request: { cmd: "search", query: "return $A + $B", path: folder, top_k: 50 }, files: all },
    { request: { cmd: "find", path: folder }, files: all },
    { request: { cmd: "find", path: folder, depth: 1, tree: true } },
    { request: { cmd: "find", path: folder, related_to: `only${number}own`, flat: true } },
    { request: { cmd: "find", path: folder, changed_since: "HEAD" }, files: [number] },
    { request: { cmd: "find", path: file }, files: [number] },
    { request: { cmd: "read", file }, files: [number] },
    { request: { cmd: "outline", path: folder }, files: all },
    { request: { cmd: "outline", path: file }, files: [number] },
    { request: { cmd: "context", path: folder, budget: 5000 }, files: all },
    { request: { cmd: "context", path: file } },
    { request: { cmd: "impact", file } },
    { request: { cmd: "map", path: folder } },
    { request: { cmd: "explain", symbol: `fn${number}`, path: file } },
    { request: { cmd: "diff", file: folder }, files: [number] },
    { request: { cmd: "diff", file: folder, functions: true }, files: [number] },
    { request: { cmd: "diff", file }, files: [number] },
    {
      request: { cmd: "edit", file, find: ["return"], replace: ["return 1 +"] },
      files: [number],
    },
    { request: { cmd: "edit", file: folder, find: ["only"], replace: ["ONLY"] }, files: all },
    { request: { cmd: "exists", pattern: file } },
    {
      request: { cmd: "run", command: ["sh", "-c", failing, "sh", named.printed] },
      files: [number],
    },
  ];
}

/** `cat`, `git` and codetool itself say what each path of an answer is. */
function judge(found: readonly Found[], tree: Tree, cwd: string): number[] {
  const numbers: number[] = [];
  const paths: string[] = [];
  for (const { path, role, mayBeNone, beside } of found) {
    if (role === "root") {
      assert.equal(path, tree.root);
      continue;
    }
    if (mayBeNone && !existsSync(resolve(cwd, path))) continue;
    if (role === "place" && statAt(path, cwd).isDirectory()) continue;
    const number = tree.numberOf(path, cwd);
    assert.ok(number !== undefined, `"${path}" from ${cwd} is no file of the tree`);
    const told = /only(\d+)own|(?:"(?:function|name)":"|function )fn(\d+)/.exec(beside);
    if (told !== null) assert.equal(number, Number(told[1] ?? told[2]), `${path}: ${beside}`);
    numbers.push(number);
    paths.push(path);
  }
  if (paths.length === 0) return [];
  const texts = numbers.map((number) => readFileSync(join(tree.root, tree.paths[number] ?? "")));
  const cat = execFileSync("cat", ["--", ...paths], { cwd });
  assert.deepEqual(cat, Buffer.concat(texts));
  if (isBelow(cwd, tree.root)) {
    const git = ["--literal-pathspecs", "ls-files", "-z", "--full-name", "--", ...paths];
    const listed = spawnSync("git", git, { cwd, encoding: "utf8" }).stdout.split("\0");
    assert.deepEqual(
      listed.filter((path) => path !== "").sort(),
      [...new Set(numbers.map((number) => tree.paths[number] ?? ""))].sort(),
    );
  }
  return numbers;
}

async function giveBack(found: readonly Found[], tree: Tree, cwd: string): Promise<void> {
  const isInside = isBelow(cwd, tree.root);
  const named = found.filter(({ role, mayBeNone }) => role === "path" && !mayBeNone);
  const paths = [...new Set(named.map(({ path }) => path))];
  const requests = paths.flatMap((file) => [
    { cmd: "read", file },
    { cmd: "edit", file, find: ["// only"], replace: ["// meant"] },
    { cmd: "exists", pattern: file },
  ]);
  if (requests.length === 0) return;
  const answers = await runBatch(requests, { workingDirectory: cwd });
  for (const [index, path] of paths.entries()) {
    const number = tree.numberOf(path, cwd);
    const [read, edit, exists] = answers.slice(3 * index, 3 * index + 3);
    assert.match(JSON.stringify(read?.data), new RegExp(`// only${number}own`), path);
    assert.match(JSON.stringify(edit?.data), new RegExp(`// meant${number}own`), path);
    if (isInside) assert.equal(exists?.data["exists"], true, path);
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, realpathSync(path));
  return way !== ".." && !way.startsWith("../");
}

/** The tree and a file of it as they are named from a folder: relative, absolute, or through a link to the tree. */
function namesFrom(
  cwd: string,
  at: { readonly root: string; readonly path: string; readonly link: string },
) {
  const real = realpathSync(cwd);
  const way = relative(real, at.root);
  // Behind a link, `..` leads to the folder above the one that it names.
  const behind = `${relative(real, at.link) || "."}/../${basename(at.root)}`;
  return [
    { folder: way === "" ? "." : way, file: relative(real, join(at.root, at.path)) },
    { folder: at.root, file: join(at.root, at.path) },
    { folder: behind, file: `${behind}/${at.path}` },
  ];
}

/**
 * Checks scenes: trees, places to stand in, and ways to name a file.
 *
 * @param seed Of the scenes.
 * @param sceneCount How many, besides the one with two files of one name.
 * @returns How many paths were looked at.
 */
export async function checkGivenBackPaths(seed: number, sceneCount: number): Promise<number> {
  let pathCount = 0;
  await fc.assert(
    fc.asyncProperty(scene, async ({ paths, pick, way, place, hasIndex, hasOddNames }) => {
      using outside = createTemporaryFolder({ "in/x/a.ts": "export {};\n" });
      const files = paths.map((path, index) => [path, contentOf(paths, index)] as const);
      using repository = createTemporaryRepository(Object.fromEntries(files));
      const root = repository.path;
      const number = pick % paths.length;
      const path = paths[number] ?? "";
      repository.write({ [path]: `${contentOf(paths, number)}// changed\n` });
      const link = join(outside.path, "link");
      symlinkSync(root, link);
      // Other systems make no such names.
      if (hasOddNames && process.platform === "linux") addOddNames(root);
      if (hasIndex) await runCodetool(["index"], { workingDirectory: root });
      const tree = treeOf(root, paths);
      const folders = paths.map((each) => dirname(join(root, each)));
      const places = [root, ...folders, outside.path, join(outside.path, "in/x"), "/", link];
      const cwd = places[place % places.length] ?? root;
      const named = namesFrom(cwd, { root, path, link })[way] as { folder: string; file: string };
      const printed = join(outside.path, "printed.txt");
      writeFileSync(printed, `${named.file}(2,3): error TS2304: Cannot find only${number}own.\n`);
      const asked = requestsFor(tree, { ...named, number, printed });
      const requests = asked.map(({ request }) => request);
      const answers = await runBatch(requests, { workingDirectory: cwd });
      const all: Found[] = [];
      for (const [index, { request, files: expected }] of asked.entries()) {
        const answer = answers[index] as Answer;
        assert.equal(answer.error, undefined, `${JSON.stringify(request)} from ${cwd}`);
        const found = pathsOf(request.cmd, answer);
        const numbers = judge(found, tree, cwd);
        const sorted = [...new Set(numbers)].sort((a, b) => a - b);
        if (expected !== undefined) assert.deepEqual(sorted, expected, JSON.stringify(request));
        // Each file imports the one before.
        if (request.cmd === "impact") {
          assert.deepEqual([numbers[0], sorted[0]], [number, number]);
          assert.equal(sorted.length > 1, number < paths.length - 1, "who imports it");
        }
        all.push(...found);
      }
      pathCount += all.length;
      await giveBack(all, tree, cwd);
      for (const flags of [[], ["--stats"]]) {
        const words = ["index", named.folder, ...flags];
        const { stdout } = await runCodetool(words, { workingDirectory: cwd });
        judge(pathsOf("index", JSON.parse(stdout) as Answer), tree, cwd);
      }
    }),
    { seed, numRuns: sceneCount + 1, examples: [[twins]] },
  );
  return pathCount;
}
