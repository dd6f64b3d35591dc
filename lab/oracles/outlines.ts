/**
 * Compares the outlines of published sources with lists made by other programs and by reading:
 * `node lab/oracles/outlines.ts <dir-of-sources> [language…]`. The folder holds one folder a package, named as
 * `codetool/src/syntax/fixtures/expected/README.md` says. Prints found, missing and extra a language; exits 1 when
 * something is missing or extra, or when no source was there.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type CodeSymbol, extractSymbols } from "../../codetool/src/syntax/index.ts";

type Listed = readonly [kind: string, name: string, line1: number];

interface ExpectedOutlines {
  readonly language: string;
  readonly files: readonly {
    readonly folder: string;
    readonly path: string;
    readonly symbols: readonly Listed[];
  }[];
}

const expectedFolder = new URL("../../codetool/src/syntax/fixtures/expected/", import.meta.url);

function flattened(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...flattened(symbol.children)]);
}

/** `Foo::bar` is listed as `bar`, and operators with and without a space. */
function simpleName(name: string): string {
  return name.replace(/^.*::(?=[^:])/, "").replace(/\s+/g, "");
}

function isSame(symbol: CodeSymbol, [kind, name, line1]: Listed): boolean {
  return (
    symbol.kind === kind &&
    simpleName(symbol.name) === simpleName(name) &&
    symbol.startLine1 <= line1 &&
    line1 <= symbol.endLine1
  );
}

/** Pairs what was found with what is listed, the innermost first. */
function compare(
  found: readonly CodeSymbol[],
  listed: readonly Listed[],
): { readonly missing: Listed[]; readonly extra: CodeSymbol[] } {
  const left = new Set(found);
  const missing: Listed[] = [];
  for (const each of listed) {
    const candidates = [...left].filter((symbol) => isSame(symbol, each));
    const nearest = candidates.sort((one, other) => other.startLine1 - one.startLine1)[0];
    if (nearest === undefined) missing.push(each);
    else left.delete(nearest);
  }
  return { missing, extra: [...left] };
}

const languagesWithoutVariables = new Set(["c", "cpp", "bash", "lua"]);

/** Variables of C, C++, Bash and Lua are in no list; constants of the preprocessor are. */
function isListedKind(symbol: CodeSymbol, language: string): boolean {
  const hasVariables = !languagesWithoutVariables.has(language);
  return hasVariables || symbol.kind !== "const" || symbol.signature.startsWith("#");
}

function checkLanguage(sources: string, expected: ExpectedOutlines): boolean {
  const counts = { files: 0, listed: 0, missing: 0, extra: 0, absent: 0 };
  for (const { folder, path, symbols } of expected.files) {
    const file = join(sources, folder, path);
    if (!existsSync(file)) {
      counts.absent += 1;
      continue;
    }
    const extracted = extractSymbols(readFileSync(file, "utf8"), expected.language);
    const found = flattened(extracted.symbols).filter((symbol) =>
      isListedKind(symbol, expected.language),
    );
    const { missing, extra } = compare(found, symbols);
    for (const [kind, name, line1] of missing)
      console.log(`missing ${folder}/${path}:${line1} ${kind} ${name}`);
    for (const { kind, name, startLine1 } of extra)
      console.log(`extra   ${folder}/${path}:${startLine1} ${kind} ${name}`);
    counts.files += 1;
    counts.listed += symbols.length;
    counts.missing += missing.length;
    counts.extra += extra.length;
  }
  const { files, listed, missing, extra, absent } = counts;
  console.log(
    `${expected.language.padEnd(10)} ${files} files, ${absent} absent: ${listed - missing} of ${listed} found, ${missing} missing, ${extra} extra`,
  );
  return files > 0 && missing === 0 && extra === 0;
}

function main(): number {
  const [sources, ...languages] = process.argv.slice(2);
  if (sources === undefined) {
    console.error("usage: node lab/oracles/outlines.ts <dir-of-sources> [language…]");
    return 2;
  }
  const names = readdirSync(expectedFolder).filter((name) => name.endsWith(".json"));
  const results = names
    .map((name) => readFileSync(new URL(name, expectedFolder), "utf8"))
    .map((text) => JSON.parse(text) as ExpectedOutlines)
    .filter(({ language }) => languages.length === 0 || languages.includes(language))
    .map((expected) => checkLanguage(sources, expected));
  return results.length > 0 && results.every(Boolean) ? 0 : 1;
}

process.exit(main());
