/** Which files a search looks at, and how a text may be written: paths, globs, languages, case, whole words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { runBatch, runCodetool, type Answer } from "../../cli/test-support/codetool.ts";

interface SearchData {
  readonly matches: readonly {
    readonly file: string;
    readonly line: number;
    readonly snippet: string;
    readonly match: string;
  }[];
  readonly total_matches: number;
  readonly mode: string;
  readonly continuation_token: string | null;
  readonly exists?: boolean;
}

const files = {
  ".git/HEAD": "",
  "app/a.ts": "export const needle = 1;\nconst NEEDLE = 2;\nconst needles = 3;\n",
  "app/a.test.ts": "needle();\n",
  "app/view.tsx": "needle;\n",
  "app/deep/b.py": "needle = 1\n",
  "lib/c.go": "var needle = 1\n",
  "lib/deep/d.md": "the needle\n",
  "top.txt": "one needle\n",
  "other/e.ts": "needle\n",
  "bin/tool": "#!/usr/bin/env python3\nsharp = 1\n",
  "bin/tool.in": "#!/usr/bin/env python3\nsharp = 1\n",
  "bin/run": "#!/bin/sh\nsharp\n",
  "bin/other.txt": "sharp\n",
  "words/a.txt": 'say("alpha")\n"alpha" said\nx"alpha"y\nélan vital\nl\u2019élan\nalphas\n',
};

async function placesOf(words: readonly string[], workingDirectory: string): Promise<string[]> {
  const { stdout } = await runCodetool(["search", "--top-k", "50", ...words], { workingDirectory });
  const { data, error } = JSON.parse(stdout) as Answer<SearchData>;
  assert.equal(error, undefined, `${words.join(" ")}: ${error?.message}`);
  return data.matches.map(({ file, line }) => `${file}:${line}`).sort();
}

const narrowed: readonly (readonly [words: readonly string[], places: readonly string[]])[] = [
  [
    ["needle", "lib", "top.txt"],
    ["lib/c.go:1", "lib/deep/d.md:1", "top.txt:1"],
  ],
  [
    ["needle", "lib/deep", "lib", "lib/c.go"],
    ["lib/c.go:1", "lib/deep/d.md:1"],
  ],
  [
    ["needle", "-w", "-t", "ts"],
    ["app/a.test.ts:1", "app/a.ts:1", "app/view.tsx:1", "other/e.ts:1"],
  ],
  [
    ["needle", "--type", "go,py"],
    ["app/deep/b.py:1", "lib/c.go:1"],
  ],
  [
    ["needle", "-t", "markdown", "-t", "Python"],
    ["app/deep/b.py:1", "lib/deep/d.md:1"],
  ],
  [
    ["needle", "-t", "golang", "-t", ".md"],
    ["lib/c.go:1", "lib/deep/d.md:1"],
  ],
  // A file whose name shows no language has that of its first line.
  [
    ["sharp", "-t", "python3"],
    ["bin/tool.in:2", "bin/tool:2"],
  ],
  [["sharp", "-t", "sh"], ["bin/run:2"]],
  [["needle", "-g", "*.go"], ["lib/c.go:1"]],
  [
    ["needle", "--glob", "app/**", "--glob", "!*.test.ts", "-w"],
    ["app/a.ts:1", "app/deep/b.py:1", "app/view.tsx:1"],
  ],
  // A glob is about what is below the folder given; what is named counts whatever globs say.
  [
    ["needle", "app", "top.txt", "-g", "deep/*"],
    ["app/deep/b.py:1", "top.txt:1"],
  ],
  [["needle", "app/deep/b.py", "-t", "go"], ["app/deep/b.py:1"]],
  [
    ["-i", "NEEDLE =", "app"],
    ["app/a.ts:1", "app/a.ts:2", "app/deep/b.py:1"],
  ],
  [["-w", "needle", "app/a.ts"], ["app/a.ts:1"]],
  [
    ["-iw", "needle", "app/a.ts"],
    ["app/a.ts:1", "app/a.ts:2"],
  ],
  [
    ["-w", "--regex", "needle|const", "app/a.ts"],
    ["app/a.ts:1", "app/a.ts:2", "app/a.ts:3"],
  ],
  [["-i", "--regex", "^CONST needles"], ["app/a.ts:3"]],
  // Three words are a text where they are to be found in any case.
  [["-i", "EXPORT const NEEDLE"], ["app/a.ts:1"]],
  [["-w", "--literal", "needle();"], ["app/a.test.ts:1"]],
  // A match that begins or ends with no letter is inside of no word there, and a letter beyond ASCII is no ASCII word.
  [
    ["-w", '"alpha"', "words"],
    ["words/a.txt:1", "words/a.txt:2", "words/a.txt:3"],
  ],
  [
    ["-w", "--regex", '"alpha"|alphas', "words"],
    ["words/a.txt:1", "words/a.txt:2", "words/a.txt:3", "words/a.txt:6"],
  ],
  [
    ["-w", "--literal", "élan", "words"],
    ["words/a.txt:4", "words/a.txt:5"],
  ],
  [
    ["-iw", "--regex", "ALPHAS|vital", "words"],
    ["words/a.txt:4", "words/a.txt:6"],
  ],
];

for (const isIndexed of [false, true])
  test(`search looks only where it is told to, ${isIndexed ? "with" : "without"} an index`, async () => {
    using folder = createTemporaryFolder(files);
    if (isIndexed) await runCodetool(["index"], { workingDirectory: folder.path });
    for (const [words, places] of narrowed)
      assert.deepEqual(await placesOf(words, folder.path), places, words.join(" "));
    const ranked = await placesOf(["where is the needle", "lib", "top.txt"], folder.path);
    assert.deepEqual(ranked, ["lib/c.go:1", "lib/deep/d.md:1", "top.txt:1"]);
    const meant = await placesOf(["--semantic", "where is the needle", "-t", "go"], folder.path);
    assert.deepEqual(meant, ["lib/c.go:1"]);
    const [one, many, none, some] = await runBatch<SearchData>(
      [
        { cmd: "search", query: "needle", path: "lib" },
        { cmd: "search", query: "needle", paths: ["lib", "top.txt"], top_k: 2 },
        { cmd: "search", query: "needle", path: ["lib"], glob: "*.rs", exists: true },
        { cmd: "search", query: "needle", path: ["lib"], type: "go", exists: true },
      ],
      { workingDirectory: folder.path },
    );
    assert.equal(one?.data.total_matches, 2);
    assert.equal(many?.data.total_matches, 3);
    assert.deepEqual([none?.data.exists, some?.data.exists], [false, true]);
    const token = many?.data.continuation_token ?? "";
    const next = ["needle", "lib", "top.txt", "--continue", token];
    assert.equal((await placesOf(next, folder.path)).length, 1);
    const other = await runCodetool(["search", "needle", "lib", "--continue", token], {
      workingDirectory: folder.path,
    });
    assert.match(other.stdout, /it continues another search/);
  });

test("search says that no file was searched, and speaks of ranked matches only where there are some", async () => {
  using folder = createTemporaryFolder(files);
  const warningsOf = async (words: readonly string[]): Promise<string> => {
    const { stdout } = await runCodetool(["search", ...words], { workingDirectory: folder.path });
    return ((JSON.parse(stdout) as { readonly warnings?: string[] }).warnings ?? []).join("\n");
  };
  assert.match(await warningsOf(["needle", "-t", "rust"]), /^No file was searched: none is of/);
  assert.match(await warningsOf(["needle", "-t", "rust"]), /occurs nowhere$/m);
  assert.match(await warningsOf(["--literal", "needle", "-g", "*.rs"]), /^No file was searched/);
  assert.doesNotMatch(await warningsOf(["needle", "-t", "go"]), /No file was searched/);
  assert.match(await warningsOf(["needle zebra"]), /nowhere: these are ranked matches/);
});

test("search --context takes a number of lines around", async () => {
  using folder = createTemporaryFolder({ "a.txt": "1\n2\n3 needle\n4\n5\n6\n" });
  for (const words of [["--context", "1"], ["-C", "1"], ["--context=1"]]) {
    const { stdout } = await runCodetool(["search", "needle", ...words], {
      workingDirectory: folder.path,
    });
    const { data } = JSON.parse(stdout) as Answer<SearchData>;
    assert.equal(data.matches[0]?.snippet, "2\n3 needle\n4");
  }
  const [asNumber, wrong] = await runBatch<SearchData>(
    [
      { cmd: "search", query: "needle", context: 9 },
      { cmd: "search", query: "needle", context: "fun" },
    ],
    { workingDirectory: folder.path },
  );
  assert.equal(asNumber?.data.matches[0]?.snippet.split("\n").length, 6);
  assert.match(
    wrong?.error?.message ?? "",
    /wanted one of function, class, block, none, or a whole/,
  );
});

test("search refuses what narrows nothing, and says how a question is quoted", async () => {
  using folder = createTemporaryFolder(files);
  const rows: readonly (readonly [readonly string[], string, RegExp])[] = [
    [["how", "are", "options", "parsed"], "invalid_argument", /"how are options parsed"/],
    [["needle", "none"], "file_not_found", /"none"/],
    [["needle", "app", "none"], "file_not_found", /"none"/],
    [["needle", "-t", "pythn"], "invalid_argument", /did you mean "python"; wanted .* go, /],
    [["needle", "-t", "golan"], "invalid_argument", /did you mean "go"/],
    [
      ["needle", "-t", "qqqqqqq"],
      "invalid_argument",
      /no such language; wanted an extension or one of rust, python, javascript,/,
    ],
    [["needle", "-g", "a["], "invalid_argument", /"glob a\["/],
    [["needle", "-i", "--semantic"], "invalid_argument", /"ignore_case and mode semantic"/],
    [["needle", "-w", "--structural"], "invalid_argument", /"word and mode structural"/],
    [["a\nb", "-i"], "invalid_argument", /a query of one line/],
    [["(", "-i", "--regex"], "invalid_argument", /"\(": it is not a valid pattern/],
  ];
  for (const [words, code, pattern] of rows) {
    const { stdout } = await runCodetool(["search", ...words], { workingDirectory: folder.path });
    const { error } = JSON.parse(stdout) as Answer<SearchData>;
    assert.equal(error?.code, code, words.join(" "));
    assert.match(error?.message ?? "", pattern);
  }
});
