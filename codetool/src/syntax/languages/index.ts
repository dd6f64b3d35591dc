/**
 * The table of languages: one file per language, which says as data what its nodes mean (see `rule.ts`). Files whose
 * names are not those of languages hold what several of them share.
 *
 * This folder must not know: how a tree is walked, and what is made of its symbols.
 */
import { python } from "./python.ts";
import { bash } from "./bash.ts";
import { c } from "./c.ts";
import { cpp } from "./cpp.ts";
import { csharp } from "./csharp.ts";
import { elixir } from "./elixir.ts";
import { go } from "./go.ts";
import { haskell } from "./haskell.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript.ts";
import { kotlin } from "./kotlin.ts";
import { lua } from "./lua.ts";
import { php } from "./php.ts";
import { ruby } from "./ruby.ts";
import { rust } from "./rust.ts";
import { scala } from "./scala.ts";
import { swift } from "./swift.ts";
import { tsx, typescript } from "./typescript.ts";
import { zig } from "./zig.ts";
import type { LanguageSyntax } from "../rule.ts";

const languages: ReadonlyMap<string, LanguageSyntax> = new Map(
  [
    typescript,
    tsx,
    javascript,
    python,
    rust,
    go,
    java,
    c,
    cpp,
    csharp,
    ruby,
    php,
    kotlin,
    swift,
    scala,
    bash,
    lua,
    elixir,
    haskell,
    zig,
  ].map((syntax) => [syntax.language, syntax]),
);

/** The rules of a language by its name, `undefined` when it has no grammar here. */
export function syntaxOf(language: string): LanguageSyntax | undefined {
  return languages.get(language);
}

/** The names of all languages that have rules here. */
export function languageNames(): readonly string[] {
  return [...languages.keys()];
}
