/** What an index knows is compared with the tree before each answer: in the executable by another way than on Node. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";

async function codetool(folder: string, ...words: string[]) {
  const exit = await runCodetool(words, { workingDirectory: folder });
  assert.equal(exit.code, 0, exit.stdout + exit.stderr);
  return JSON.parse(exit.stdout) as { data: { matches: { file: string; snippet: string }[] } };
}

const names = ["plain.ts", "sub/ü and\nbreak.ts", "sub/deep/.hidden.ts", "other.ts"];
const first = "export const needleOne = 1;\n";

/** From so many files on another thread looks at the times. */
const largeCount = 1500;

/**
 * A tree whose files are old enough that no change can have the time they were indexed with.
 *
 * @param otherCount How many files it has beyond `names`.
 */
async function indexedTree(otherCount: number) {
  const others = Array.from({ length: otherCount }, (_, at) => `others/${at % 10}/${at}.txt`);
  const all = [
    ...names.map((name) => [name, first] as const),
    ...others.map((name) => [name, `text ${name}\n`] as const),
  ];
  const tree = createTemporaryFolder(Object.fromEntries(all));
  const longAgo = new Date("2020-01-02T03:04:05.678Z");
  for (const [name] of all) utimesSync(join(tree.path, name), longAgo, longAgo);
  await codetool(tree.path, "index");
  return tree;
}

async function filesWith(folder: string, text: string): Promise<string[]> {
  const { data } = await codetool(folder, "search", "--literal", text, "--top-k", "20");
  return data.matches.map(({ file }) => file).sort();
}

for (const otherCount of [0, largeCount]) {
  test(`search sees files that changed in place, whatever is in their names, among ${otherCount} others`, async () => {
    for (const name of names) {
      using tree = await indexedTree(otherCount);
      const before = statSync(join(tree.path, name));
      // As long as before, in a folder that keeps its time.
      writeFileSync(join(tree.path, name), "export const needleTwo = 2;\n");
      assert.deepEqual(await filesWith(tree.path, "needleTwo"), [name]);
      // A time like before, and another size.
      writeFileSync(join(tree.path, name), "export const needleThree = 3;\n");
      utimesSync(join(tree.path, name), before.atime, before.mtime);
      assert.deepEqual(await filesWith(tree.path, "needleThree"), [name]);
      assert.deepEqual(
        await filesWith(tree.path, "needleOne"),
        names.filter((other) => other !== name).sort(),
      );
    }
  });

  test(`search sees files that came and went, and what stands in their place, among ${otherCount} others`, async () => {
    using tree = await indexedTree(otherCount);
    writeFileSync(join(tree.path, "sub/deep/new.ts"), first);
    rmSync(join(tree.path, "plain.ts"));
    renameSync(join(tree.path, "other.ts"), join(tree.path, "moved.ts"));
    assert.deepEqual(
      await filesWith(tree.path, "needleOne"),
      ["moved.ts", "sub/deep/.hidden.ts", "sub/deep/new.ts", "sub/ü and\nbreak.ts"].sort(),
    );
    symlinkSync("moved.ts", join(tree.path, "other.ts"));
    rmSync(join(tree.path, "sub"), { recursive: true });
    writeFileSync(join(tree.path, "sub"), "needleOne is a file now\n");
    assert.deepEqual(await filesWith(tree.path, "needleOne"), ["moved.ts", "sub"]);
  });
}

/** Root may read everything, so it becomes nobody, who is given what is below a path. */
const nobody = 65_534;
const user = process.getuid?.() === 0 ? { userId: nobody, groupId: nobody } : {};

function giveAway(path: string): void {
  if (!("userId" in user)) return;
  chownSync(path, nobody, nobody);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveAway(join(path, name));
}

async function asUser(folder: string, text: string) {
  const words = ["search", "--literal", text, "--top-k", "20"];
  const { stdout } = await runCodetool(words, { workingDirectory: folder, ...user });
  const { data, warnings = [] } = JSON.parse(stdout) as {
    readonly data: { readonly matches: readonly { readonly file: string }[] };
    readonly warnings?: readonly string[];
  };
  return { files: data.matches.map(({ file }) => file).sort(), warnings: warnings.join("\n") };
}

for (const otherCount of [0, largeCount])
  test(
    `search says that something new cannot be read, among ${otherCount} others`,
    { skip: process.platform === "win32" && "needs POSIX permissions" },
    async () => {
      using tree = await indexedTree(otherCount);
      giveAway(tree.path);
      assert.deepEqual(await asUser(tree.path, "needleOne"), {
        files: [...names].sort(),
        warnings: "",
      });
      const secret = join(tree.path, "sub/secret.ts");
      writeFileSync(secret, first);
      giveAway(secret);
      chmodSync(secret, 0);
      const one = await asUser(tree.path, "needleOne");
      assert.deepEqual(one.files, [...names].sort());
      assert.match(one.warnings, /1 file/);

      const shut = join(tree.path, "shut");
      mkdirSync(join(shut, "deep"), { recursive: true });
      writeFileSync(join(shut, "deep/.gitignore"), "none\n");
      writeFileSync(join(shut, "deep/x.ts"), first);
      giveAway(shut);
      assert.ok((await asUser(tree.path, "needleOne")).files.includes("shut/deep/x.ts"));
      // It may be listed, and not entered.
      for (const mode of [0, 0o600]) {
        chmodSync(shut, mode);
        const two = await asUser(tree.path, "needleOne");
        assert.deepEqual(two.files, [...names].sort());
        assert.match(two.warnings, /Cannot list the folder .*shut/);
      }
      chmodSync(shut, 0o755);
    },
  );

test(
  "an index answers who may not enter a folder that it has",
  { skip: process.platform === "win32" && "needs POSIX permissions" },
  async () => {
    using tree = createTemporaryFolder({
      "a.ts": first,
      "shut/deep/.gitignore": "none\n",
      "shut/deep/x.ts": first,
    });
    // What only root may enter keeps its times; a user who is not root shuts it, which shows.
    chmodSync(join(tree.path, "shut"), 0o700);
    chmodSync(tree.path, 0o755);
    await codetool(tree.path, "index");
    if ("userId" in user) giveAway(join(tree.path, ".codetool"));
    else chmodSync(join(tree.path, "shut"), 0);
    const { files, warnings } = await asUser(tree.path, "needleOne");
    assert.deepEqual(files, ["a.ts"]);
    assert.match(warnings, /Cannot list the folder .*shut/);
    chmodSync(join(tree.path, "shut"), 0o755);
  },
);
