import { python } from "./languages/python.ts";
import { bash } from "./languages/bash.ts";
import { c } from "./languages/c.ts";
import { cpp } from "./languages/cpp.ts";
import { csharp } from "./languages/csharp.ts";
import { elixir } from "./languages/elixir.ts";
import { go } from "./languages/go.ts";
import { haskell } from "./languages/haskell.ts";
import { java } from "./languages/java.ts";
import { javascript } from "./languages/javascript.ts";
import { kotlin } from "./languages/kotlin.ts";
import { lua } from "./languages/lua.ts";
import { php } from "./languages/php.ts";
import { ruby } from "./languages/ruby.ts";
import { rust } from "./languages/rust.ts";
import { scala } from "./languages/scala.ts";
import { swift } from "./languages/swift.ts";
import { tsx, typescript } from "./languages/typescript.ts";
import { zig } from "./languages/zig.ts";
import type { LanguageSyntax } from "./rule.ts";

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
