/**
 * Compares `codetool search --structural` with ast-grep on directories: which lines matches begin on. Prints a line a
 * pattern and language and the differences; exits 1 when one is not explained.
 *
 *     AST_GREP=<binary> node lab/oracles/structural.ts <dir>…
 *
 * Both read each file in the language of its name; files that only one of them knows as of that language are left out.
 * What may differ, and counts as explained: files that a grammar does not read, ours or theirs (they are not of one version),
 * files that no parser would end over, headers that are C++ and read as such by us, names that ast-grep does not know, and patterns that ast-grep reads otherwise at file level than where people write them
 * (`placed` below) or takes for none: of these we may find more, never less.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { walkFiles, type WalkedFile } from "../../codetool/src/files/index.ts";
import { scanStructure } from "../../codetool/src/search/index.ts";
import { openForPatterns, parseSource } from "../../codetool/src/syntax/index.ts";

interface Case {
  readonly pattern: string;
  /** We find it in more places: by itself it is another thing than inside of code. */
  readonly isPlaced?: boolean;
}

const plain = (...patterns: readonly string[]): Case[] => patterns.map((pattern) => ({ pattern }));
const placed = (...patterns: readonly string[]): Case[] =>
  patterns.map((pattern) => ({ pattern, isPlaced: true }));

const cases: { readonly [language: string]: readonly Case[] } = {
  typescript: plain(
    "function $NAME($$$ARGS) { $$$ }",
    "const $A = await $B",
    "if ($A === undefined) { $$$ }",
    "$A.map($B)",
    "new $C($$$)",
    "$A === $A",
    "import { $$$ } from $M",
    "async ($$$) => $B",
    "throw new Error($$$)",
    "export class $C { $$$ }",
    "$A ? $B : $C",
    "return $A.$B($$$)",
  ),
  javascript: plain(
    "function $NAME($$$) { $$$ }",
    "require($M)",
    "$A.then($$$)",
    "typeof $A === $B",
    "var $A = $B",
    "for (const $A of $B) { $$$ }",
  ),
  python: plain(
    "def $NAME($$$): $$$",
    "class $C($$$): $$$",
    "$A.append($B)",
    "isinstance($A, $B)",
    "for $A in $B: $$$",
    "raise $E($$$)",
    "assert $A == $B",
    "with $A as $B: $$$",
    "if $A is None: $$$",
    "return $A",
    "$A = $B",
    "lambda $A: $B",
  ),
  rust: plain(
    "$A.unwrap()",
    "fn $NAME($$$) { $$$ }",
    "impl $T { $$$ }",
    "let $A = $B;",
    "match $A { $$$ }",
    "Some($A)",
    "struct $S { $$$ }",
    "pub fn $NAME($$$) -> $T { $$$ }",
    "#[derive($$$)]",
    "if let Some($A) = $B { $$$ }",
  ),
  go: [
    ...plain(
      "if err != nil { $$$ }",
      "func $NAME($$$) { $$$ }",
      "func ($R $T) $NAME($$$) $U { $$$ }",
      "for $A, $B := range $C { $$$ }",
      "$A := $B",
      "defer $A",
      "type $T struct { $$$ }",
      "return $A, nil",
    ),
    ...placed("fmt.Println($$$)", "t.Fatal($A)", "append($A, $B)"),
  ],
  java: plain(
    "new $C($$$)",
    "return $A;",
    "public $T $NAME($$$) { $$$ }",
    "if ($A == null) { $$$ }",
    "for ($T $A : $B) { $$$ }",
    "throw new $E($$$);",
    "$A.equals($B)",
    "$A.$B($$$)",
    "import $A;",
  ),
  c: [
    ...plain(
      "if ($A) return $B;",
      "for ($A; $B; $C) { $$$ }",
      "return $A;",
      "$A->$B = $C;",
      "while ($A) { $$$ }",
      "#include $A",
    ),
    ...placed("sizeof($A)", "memcpy($A, $B, $C)", "$A == NULL", "struct $S { $$$ };"),
  ],
  cpp: [
    ...plain(
      "$A->$B($$$)",
      "return $A;",
      "if ($A) { $$$ }",
      "std::move($A)",
      "template <$$$> class $C { $$$ };",
      "namespace $N { $$$ }",
      "static_cast<$T>($A)",
      "throw $A;",
      "auto $A = $B;",
    ),
    ...placed("$A == nullptr", "class $C { $$$ };"),
  ],
  csharp: [
    ...plain("new $C($$$)", "return $A;", "throw new $E($$$);", "$A.$B($$$)", "using $A;"),
    ...placed("public $T $NAME($$$) { $$$ }", "var $A = $B;"),
  ],
  ruby: plain(
    "$A.each do |$B| $$$ end",
    "def $NAME($$$)\n$$$\nend",
    "def $NAME\n$$$\nend",
    "$A.nil?",
    "raise $E, $M",
    "if $A\n$$$\nend",
    "$A || $B",
    "$A.map { |$B| $C }",
    "require $A",
  ),
  php: [
    ...plain("$this->$NAME", "new $C($$$)", "function $NAME($$$) { $$$ }", "return $A;"),
    ...placed("foo($A)", "$A = new $C($$$);", "count($A)"),
  ],
  // Not "class $C", "fun $NAME($$$)" and Scala's "new $C($$$)": the two versions of the grammars build other trees of them.
  kotlin: plain(
    "val $A = $B",
    "$A?.let { $$$ }",
    "if ($A) { $$$ }",
    "$A.$B($$$)",
    "throw $A",
    "fun $NAME(): $T = $B",
  ),
  swift: plain(
    "guard let $A = $B else { $$$ }",
    "let $A = $B",
    "return $A",
    "$A.$B($$$)",
    "if let $A = $B { $$$ }",
    "func $NAME() { $$$ }",
  ),
  scala: plain(
    "$A.map($B)",
    "def $NAME = $B",
    "val $A = $B",
    "$A match { $$$ }",
    "case class $C($$$)",
    "import $A",
  ),
  bash: placed("echo $A", "if $A; then $$$; fi", "[ -z $A ]", "$A | $B", "local $A=$B", "cd $A"),
  lua: plain(
    "local $A = require($B)",
    "local $A = $B",
    "return $A",
    "$A.$B($$$)",
    "if $A then $$$ end",
    "for $A, $B in pairs($C) do $$$ end",
  ),
  elixir: plain(
    "def $NAME($$$) do $$$ end",
    "$A |> $B",
    "case $A do $$$ end",
    "defmodule $M do $$$ end",
    "@doc $A",
  ),
  haskell: plain("$A >>= $B", "$A <$> $B", "$F :: $T", "return $A", "if $A then $B else $C"),
};

const cliNames: { readonly [language: string]: string } = {
  csharp: "cs",
  javascript: "js",
  typescript: "ts",
};

interface CliMatch {
  readonly file: string;
  readonly range: { readonly start: { readonly line: number } };
}

const listing = ["--json=stream", "--no-ignore=hidden", "--no-ignore=vcs", "--no-ignore=dot"];

/** `null` when it takes a pattern for none. */
function runAstGrep(root: string, words: readonly string[]): CliMatch[] | null {
  const binary = process.env["AST_GREP"] ?? "ast-grep";
  const result = spawnSync(binary, words, { cwd: root, encoding: "utf8", maxBuffer: 1 << 29 });
  if (/Cannot parse query/.test(result.stderr)) return null;
  if (result.error !== undefined || (result.status ?? 2) > 1)
    throw new Error(`ast-grep failed: ${result.error?.message ?? result.stderr}`);
  const lines = result.stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as CliMatch);
}

function linesByAstGrep(
  root: string,
  language: string,
  pattern: string,
): Map<string, Set<number>> | null {
  const lang = cliNames[language] ?? language;
  const matches = runAstGrep(root, ["run", ...listing, "--lang", lang, "--pattern", pattern, "."]);
  if (matches === null) return null;
  const found = new Map<string, Set<number>>();
  for (const { file, range } of matches) {
    const path = file.replace(/^\.\//, "");
    const lines = found.get(path) ?? new Set<number>();
    found.set(path, lines.add(range.start.line + 1));
  }
  return found;
}

async function linesByUs(
  files: readonly WalkedFile[],
  pattern: string,
): Promise<Map<string, Set<number>>> {
  const { hits } = await scanStructure({ files, pattern, hitCountMax: Infinity });
  const found = new Map<string, Set<number>>();
  for (const { file, line1 } of hits) {
    const lines = found.get(file.relativePath) ?? new Set<number>();
    found.set(file.relativePath, lines.add(line1));
  }
  return found;
}

/** Why a file may differ; `undefined` for a difference that is a fault of ours. */
function explain(
  file: WalkedFile,
  language: string,
  theirErrors: ReadonlySet<string>,
): string | undefined {
  const text = readFileSync(file.absolutePath, "utf8");
  if (text.includes("\0")) return "binary";
  const source = openForPatterns(text, language);
  if (source === null) return "no parser would end";
  if (source.language !== language) return "a header that is C++";
  if (!/\.\w+$/.test(file.relativePath)) return "a name that ast-grep does not know";
  if (parseSource(text, language)?.hasErrors === true) return "our grammar does not read it";
  if (theirErrors.has(file.relativePath)) return "their grammar does not read it";
  return undefined;
}

/** The files that ast-grep's grammar does not read whole. */
function filesWithTheirErrors(root: string, language: string): Set<string> {
  const rule = JSON.stringify({
    id: "e",
    language: cliNames[language] ?? language,
    rule: { kind: "ERROR" },
  });
  const words = ["scan", "--inline-rules", rule, ...listing, "."];
  const found = runAstGrep(root, words);
  return new Set((found ?? []).map(({ file }) => file.replace(/^\.\//, "")));
}

interface Tree {
  readonly root: string;
  readonly files: readonly WalkedFile[];
  readonly theirErrors: ReadonlySet<string>;
}

async function compare(
  { root, files, theirErrors }: Tree,
  language: string,
  { pattern, isPlaced = false }: Case,
): Promise<boolean> {
  const read = linesByAstGrep(root, language, pattern);
  const theirs = read ?? new Map<string, Set<number>>();
  const ours = await linesByUs(files, pattern);
  const byPath = new Map(files.map((file) => [file.relativePath, file]));
  const faults: string[] = [];
  const reasons = new Map<string, number>();
  let [ourCount, theirCount] = [0, 0];
  for (const [path, file] of byPath) {
    const [our, their] = [ours.get(path) ?? new Set(), theirs.get(path) ?? new Set()];
    ourCount += our.size;
    theirCount += their.size;
    const missing = [...their].filter((line) => !our.has(line));
    const added = [...our].filter((line) => !their.has(line));
    if (missing.length === 0 && (isPlaced || read === null || added.length === 0)) continue;
    const reason = explain(file, language, theirErrors);
    if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else
      faults.push(
        `  ${path}: missing ${missing.slice(0, 5).join()}; added ${added.slice(0, 5).join()}`,
      );
  }
  process.stdout.write(
    `${faults.length === 0 ? "same " : "DIFFERS"} ${language} ${JSON.stringify(pattern)}: ours ${ourCount}, ast-grep ${theirCount}${read === null ? " (no pattern for it)" : isPlaced ? " (placed)" : ""}\n`,
  );
  for (const [reason, count] of reasons)
    process.stdout.write(`  explained, ${count} files: ${reason}\n`);
  for (const fault of faults.slice(0, 8)) process.stdout.write(`${fault}\n`);
  return faults.length === 0;
}

async function main(): Promise<number> {
  const directories = process.argv.slice(2);
  if (directories.length === 0) {
    process.stderr.write("usage: node lab/oracles/structural.ts <dir>…\n");
    return 2;
  }
  const tally = { compared: 0, agreed: 0 };
  for (const directory of directories) {
    const root = resolve(directory);
    const { files } = walkFiles({ root, environment: process.env, sizeBytesMax: 1024 ** 2 });
    for (const [language, patterns] of Object.entries(cases)) {
      const own = files.filter((file) => file.language === language);
      // A file that happens to lie there proves nothing.
      if (own.length < 5) continue;
      process.stdout.write(`${directory}: ${own.length} files of ${language}\n`);
      const theirErrors = filesWithTheirErrors(root, language);
      for (const each of patterns) {
        tally.compared += 1;
        if (await compare({ root, files: own, theirErrors }, language, each)) tally.agreed += 1;
      }
    }
  }
  process.stdout.write(`${tally.agreed} of ${tally.compared} comparisons agree\n`);
  return tally.agreed === tally.compared ? 0 : 1;
}

process.exitCode = await main();
