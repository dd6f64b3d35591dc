/**
 * Names in code: where a name is used, what it is there, and in which scope it is declared.
 *
 *   text, name ─ words ─▶ nodes around each ─ rules of the language ─▶ role and scope ─▶ binding
 *
 * A language is one file of rules. This folder must not know: other files, what an import means.
 */
export { isField, type NameRole, nodeOf, type PathNode } from "./name-rules.ts";
export { hasNameRules, nameRulesOf, type NameUse, placesOfName, usesOfName } from "./names-in.ts";
export { type Declarations, type Mention, type ReadPlace, ScopedNames } from "./scoped-names.ts";
export { hasWord, mayMention } from "./words.ts";
