import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { type CodeSymbol, extractSymbols, isDataFormat, skeletonOf } from "./index.ts";

const fixtures = new URL("./fixtures/", import.meta.url);
const languages =
  "typescript tsx javascript python rust go java c cpp csharp ruby php kotlin swift scala bash lua elixir haskell zig markdown yaml toml json html css scss less sql hcl dockerfile makefile".split(
    " ",
  );

function sampleOf(language: string): { readonly text: string; readonly expected: string } {
  const folder = new URL(`${language}/`, fixtures);
  const name = readdirSync(folder).find((each) => /^sample\./i.test(each));
  return {
    text: readFileSync(new URL(name ?? "", folder), "utf8"),
    expected: readFileSync(new URL("expected.txt", folder), "utf8"),
  };
}

/** One line a symbol: `+` for exported, kind, name, container, lines, signature. */
function listed(symbols: readonly CodeSymbol[], depth = 0): string {
  return symbols
    .map((symbol) => {
      const mark = symbol.isExported ? "+" : "-";
      const container = symbol.container === undefined ? "" : ` <${symbol.container}>`;
      const lines = `${symbol.startLine1}-${symbol.endLine1}`;
      const head = `${"  ".repeat(depth)}${mark}${symbol.kind} ${symbol.name}${container} ${lines}`;
      return `${head} | ${symbol.signature}\n${listed(symbol.children, depth + 1)}`;
    })
    .join("");
}

function flattened(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return symbols.flatMap((symbol) => [symbol, ...flattened(symbol.children)]);
}

for (const language of languages) {
  const { text, expected } = sampleOf(language);
  const { symbols } = extractSymbols(text, language);

  test(`extractSymbols() finds every construct of the ${language} sample`, () => {
    assert.equal(listed(symbols), expected);
  });

  test(`byte ranges of the ${language} sample agree with its lines and hold one another`, () => {
    const bytes = Buffer.from(text);
    const lineOf = (offset: number): number =>
      bytes.subarray(0, offset).toString("latin1").split("\n").length;
    const check = (symbol: CodeSymbol, outer: CodeSymbol | null): void => {
      const { startByte, bodyStartByte, endByte } = symbol;
      assert.ok(startByte < endByte && startByte <= bodyStartByte && bodyStartByte <= endByte);
      assert.equal(lineOf(startByte), symbol.startLine1, symbol.name);
      assert.equal(lineOf(endByte), symbol.endLine1, symbol.name);
      if (outer !== null) {
        assert.ok(outer.startByte <= startByte && endByte <= outer.endByte, symbol.name);
      }
      for (const child of symbol.children) check(child, symbol);
    };
    for (const symbol of symbols) check(symbol, null);
  });

  test(`the ${language} sample with CRLF and a byte-order mark has the same symbols`, () => {
    const changed = `\uFEFF${text.replaceAll("\n", "\r\n")}`;
    const names = flattened(extractSymbols(changed, language).symbols).map(
      ({ name, kind, startLine1, endLine1 }) => [name, kind, startLine1, endLine1],
    );
    assert.deepEqual(
      names,
      flattened(symbols).map(({ name, kind, startLine1, endLine1 }) => [
        name,
        kind,
        startLine1,
        endLine1,
      ]),
    );
  });

  test(`the skeleton of the ${language} sample keeps every type and what is exported, and names the rest`, () => {
    const skeleton = skeletonOf(text, symbols, language);
    assert.ok(skeleton.length < text.length);
    if (isDataFormat(language)) {
      const again = flattened(extractSymbols(skeleton, language).symbols).map(({ name }) => name);
      const kept = symbols.filter(({ kind, isExported }) => kind !== "const" && isExported);
      for (const { name } of kept) assert.ok(again.includes(name), `${name}: ${skeleton}`);
      return;
    }
    const folded = skeleton.replace(/\s+/g, " ");
    const check = (symbol: CodeSymbol, isHiddenType: boolean): void => {
      const { kind, name, signature, isExported } = symbol;
      if (kind === "const" || isHiddenType) return;
      const isType = kind !== "function" && kind !== "method";
      const wanted = isType || isExported ? signature : name;
      assert.ok(folded.includes(wanted), `${wanted} is missing from\n${skeleton}`);
      if (isType) for (const child of symbol.children) check(child, !isExported);
    };
    for (const symbol of symbols) check(symbol, false);
  });
}
