import { languageNames, languageOfPath } from "./languages.ts";
import type { Language } from "./walked-file.ts";

/** Names that people and other tools have for a language, where neither its own name nor an extension is one of them. */
const aliasesOf: { readonly [language: Language]: string } = {
  bash: "shell shellscript",
  cpp: "cplusplus",
  csharp: "c#",
  dockerfile: "docker",
  fsharp: "f#",
  go: "golang",
  hcl: "terraform",
  javascript: "node nodejs ecmascript",
  makefile: "make",
  objectivec: "objc objective-c",
  powershell: "ps pwsh",
  python: "python3 py3",
  rust: "rustlang",
};

const languageOfAlias: ReadonlyMap<string, Language> = new Map(
  Object.entries(aliasesOf).flatMap(([language, aliases]) =>
    aliases.split(" ").map((alias): [string, Language] => [alias, language]),
  ),
);

/** Names of languages that are not those of answers. */
export const languageAliases: readonly string[] = [...languageOfAlias.keys()];

/**
 * Finds a language by what people call it: its name in answers, a name of `languageAliases`, or an extension.
 *
 * @returns `null` if it is none of these.
 */
export function languageCalled(called: string): Language | null {
  const name = called.toLowerCase();
  if (languageNames.includes(name)) return name;
  return languageOfAlias.get(name) ?? languageOfPath(`x.${called.replace(/^\*?\./, "")}`);
}
