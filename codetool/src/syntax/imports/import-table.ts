import { cFamilyImports } from "./c-family.ts";
import { csharpImports } from "./csharp.ts";
import { ecmascriptImports } from "./ecmascript.ts";
import { goImports } from "./go.ts";
import type { ImportSyntax } from "./import-syntax.ts";
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
    cFamilyImports,
    csharpImports,
    ecmascriptImports,
    goImports,
    javaImports,
    kotlinImports,
    phpImports,
    pythonImports,
    rubyImports,
    rustImports,
    scalaImports,
    swiftImports,
  ].flatMap((syntax) => syntax.languages.map((language) => [language, syntax])),
);

/** How a language writes imports, `undefined` when that is not known here. */
export function importSyntaxOf(language: string): ImportSyntax | undefined {
  return byLanguage.get(language);
}
