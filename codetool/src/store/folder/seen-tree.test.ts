import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { indexFolder, openGeneration } from "./index-folder.ts";
import { KnownTree } from "./known-tree.ts";
import { seeKnownTree, type SeenTree, walkTree } from "./seen-tree.ts";
import { areRulesCertain, ruleFilesOf } from "./tree-rules.ts";
import { updateIndex } from "./update-index.ts";

const fileSizeBytesMax = 1000;
/** Long after all edits: their times are certain. */
const nowMs = (): number => Date.parse("2100-01-01T00:00:00Z");

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A repository in a folder of its own, a part of it indexed, and a user's own ignore file. */
function makeTree(outer: string): {
  readonly root: string;
  readonly environment: { readonly [name: string]: string };
} {
  const root = join(outer, "work/tree");
  const texts = {
    "home/git/ignore": "*.user\n",
    "work/.git/info/exclude": "*.excluded\n",
    "work/.gitignore": "*.above\n",
    "work/tree/.gitignore": "*.inside\n",
    "work/tree/a.ts": "export const a = 1;\n",
    "work/tree/large.txt": "word ".repeat(300),
    "work/tree/part/.gitignore": "*\n!*.ts\n",
    "work/tree/part/b.ts": "export const b = 1;\n",
    ...Object.fromEntries(
      ["user", "excluded", "above", "inside"].map((end) => [`work/tree/x.${end}`, "word\n"]),
    ),
  };
  for (const [path, text] of Object.entries(texts)) write(join(outer, path), text);
  return { root, environment: { XDG_CONFIG_HOME: join(outer, "home") } };
}

function asData({ files, folders, leftOut, rules }: SeenTree): unknown {
  return {
    files: files.map(({ absolutePath, relativePath, language, ...file }) => {
      const { sizeBytes, modifiedMs, changedMs, inode } = file;
      return { absolutePath, relativePath, language, sizeBytes, modifiedMs, changedMs, inode };
    }),
    folders,
    leftOut,
    rules,
  };
}

/** Edits of the tree; `isSeen` where no walk is needed to know its files. */
const edits: readonly {
  readonly name: string;
  readonly isSeen: boolean;
  readonly edit: (outer: string, root: string) => void;
}[] = [
  { name: "nothing", isSeen: true, edit: () => {} },
  {
    name: "the content of files",
    isSeen: true,
    edit: (_, root) => {
      appendFileSync(join(root, "a.ts"), "// more\n");
      appendFileSync(join(root, "part/b.ts"), "// more\n");
    },
  },
  { name: "a new file", isSeen: false, edit: (_, root) => write(join(root, "c.ts"), "c\n") },
  { name: "a file is gone", isSeen: false, edit: (_, root) => rmSync(join(root, "a.ts")) },
  {
    name: "a file replaced by another",
    isSeen: false,
    edit: (_, root) => {
      write(join(root, "part/new"), "other\n");
      renameSync(join(root, "part/new"), join(root, "a.ts"));
    },
  },
  {
    name: "a file grows too large",
    isSeen: false,
    edit: (_, root) => writeFileSync(join(root, "a.ts"), "word ".repeat(300)),
  },
  {
    name: "a file is no longer too large",
    isSeen: false,
    edit: (_, root) => writeFileSync(join(root, "large.txt"), "word\n"),
  },
  {
    name: "the rules of the root",
    isSeen: false,
    edit: (_, root) => writeFileSync(join(root, ".gitignore"), "*.other\n"),
  },
  {
    name: "rules in a file that they leave out themselves",
    isSeen: false,
    edit: (_, root) => writeFileSync(join(root, "part/.gitignore"), "*\n!*.js\n"),
  },
  {
    name: "the rules above the root",
    isSeen: false,
    edit: (outer) => writeFileSync(join(outer, "work/.gitignore"), "*.other\n"),
  },
  {
    name: "the rules of the repository",
    isSeen: false,
    edit: (outer) => writeFileSync(join(outer, "work/.git/info/exclude"), "*.other\n"),
  },
  {
    name: "the rules of the user",
    isSeen: false,
    edit: (outer) => writeFileSync(join(outer, "home/git/ignore"), "*.other\n"),
  },
];

for (const { name, isSeen, edit } of edits)
  test(`a known tree is seen without a walk as a walk finds it, after a change: ${name}`, async () => {
    using folder = createTemporaryFolder();
    const { root, environment } = makeTree(folder.path);
    const options = { root, environment, fileSizeBytesMax, nowMs };
    const update = async (): Promise<void> => {
      const rest = { chunkSizeCharacters: 200, isRebuild: false };
      await updateIndex({ ...options, ...rest, process: { id: 1, isAlive: () => true } });
    };
    await update();
    edit(folder.path, root);
    const known = seenIn(options);
    assert.equal(known !== undefined, isSeen);
    const walked = walkTree(options);
    if (known !== undefined) assert.deepEqual(asData(known), asData(walked));
    await update();
    const after = seenIn(options);
    assert.ok(after !== undefined);
    assert.deepEqual(asData(after), asData(walkTree(options)));
  });

function seenIn(options: Parameters<typeof seeKnownTree>[0]): SeenTree | undefined {
  const open = openGeneration(join(options.root, indexFolder));
  assert.ok(open !== undefined);
  try {
    return seeKnownTree(options, new KnownTree(open.segments));
  } finally {
    for (const segment of open.segments) segment.close();
  }
}

test("a tree with another repository in it, or with an edit that was not finished, is walked", async () => {
  for (const path of ["part/.git/info/exclude", "part/.codetool-edit/lock"]) {
    using folder = createTemporaryFolder();
    const { root, environment } = makeTree(folder.path);
    write(join(root, path), "*.other\n");
    const options = { root, environment, fileSizeBytesMax, nowMs };
    assert.equal(areRulesCertain(walkTree(options).rules), false);
  }
});

test("ruleFilesOf() names no files for a text that is no rules", () => {
  for (const text of ["", "{", "7", "[]", "null"]) assert.deepEqual(ruleFilesOf(text), []);
});
