/**
 * Names in code: where a name is used, what it is there, and in which scope it is declared.
 *
 *   text, name ─ words ─▶ nodes around each ─ rules of the language ─▶ role and scope ─▶ binding
 *
 * A language is one file of rules. This folder must not know: other files, what an import means.
 */
export type { NameRole } from "./name-rules.ts";
export { hasNameRules, type NameUse, usesOfName } from "./names-in.ts";
