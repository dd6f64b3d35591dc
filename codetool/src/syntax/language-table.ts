import { python } from "./languages/python.ts";
import { javascript } from "./languages/javascript.ts";
import { tsx, typescript } from "./languages/typescript.ts";
import type { LanguageSyntax } from "./rule.ts";

const languages: ReadonlyMap<string, LanguageSyntax> = new Map(
  [typescript, tsx, javascript, python].map((syntax) => [syntax.language, syntax]),
);

/** The rules of a language by its name, `undefined` when it has no grammar here. */
export function syntaxOf(language: string): LanguageSyntax | undefined {
  return languages.get(language);
}
