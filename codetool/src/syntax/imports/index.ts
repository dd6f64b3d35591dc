/**
 * The table of import syntaxes: one file per language or family, which says which nodes bring others in and reads
 * their source.
 *
 * This folder must not know: what an import means in a tree of files.
 */
import { cFamilyImports } from "./c-family.ts";
import { csharpImports } from "./csharp.ts";
import { ecmascriptImports } from "./ecmascript.ts";
import { goImports } from "./go.ts";
import { bashImports } from "./bash.ts";
import { elixirImports } from "./elixir.ts";
import { haskellImports } from "./haskell.ts";
import { luaImports } from "./lua.ts";
import { zigImports } from "./zig.ts";
import type { ImportSyntax } from "./syntax.ts";
import { javaImports } from "./java.ts";
import { kotlinImports } from "./kotlin.ts";
import { phpImports } from "./php.ts";
import { pythonImports } from "./python.ts";
import { rubyImports } from "./ruby.ts";
import { rustImports } from "./rust.ts";
import { scalaImports } from "./scala.ts";
import { swiftImports } from "./swift.ts";

const byLanguage: ReadonlyMap<string, ImportSyntax> = new Map(
  [
    bashImports,
    cFamilyImports,
    csharpImports,
    ecmascriptImports,
    elixirImports,
    goImports,
    haskellImports,
    javaImports,
    kotlinImports,
    luaImports,
    phpImports,
    pythonImports,
    rubyImports,
    rustImports,
    scalaImports,
    swiftImports,
    zigImports,
  ].flatMap((syntax) => syntax.languages.map((language) => [language, syntax])),
);

/** How a language writes imports, `undefined` when that is not known here. */
export function importSyntaxOf(language: string): ImportSyntax | undefined {
  return byLanguage.get(language);
}
export { ImportCollector, noImports } from "./collector.ts";
