/**
 * Data formats: what has no functions and classes, and is looked through all the same.
 *
 *     text ──scanner of the format: one pass, a stack of its own──▶ entries (name, kind, range in UTF-16 units)
 *                                                                        │ lines and bytes counted once
 *                                                                        ▼
 *                                                                  CodeSymbol, nested
 *
 * | Format | Entries | Kind |
 * |---|---|---|
 * | Markdown | headings, each with its section | module |
 * | YAML, TOML, JSON | keys that hold keys, documents, tables, named items | module |
 * | | other keys, anchors | const |
 * | HTML | headings, landmarks | module |
 * | | elements with an id, title, anchors | const |
 * | CSS, SCSS, Less | rules | class |
 * | | `@media` and the like | module |
 * | | custom properties, variables, `@keyframes` | const |
 * | | mixins and functions | function |
 * | SQL | tables (their columns: const) | struct |
 * | | views, types / routines, triggers / indexes, sequences / schemas | type / function / const / module |
 * | HCL | blocks: type and labels (variable, output, locals: const) | module |
 * | Dockerfile | stages (ARG, ENV: const) | module |
 * | Makefile | targets, `define` (variables: const) | function |
 *
 * No grammar is loaded: these formats are regular enough for a scanner over lines or characters, and what an outline
 * needs of them is less than a tree (docs/adr/0015). Every scanner takes time that grows with the text's length, with
 * nothing on the call stack for what is nested; what is not closed ends with the text.
 *
 * Not here: whether the values of a file make sense.
 */
export type { FormatSyntax } from "./entry.ts";
export { skeletonOfFormat } from "./skeleton.ts";
export { symbolsOfFormat } from "./symbols.ts";
export { formatNames, formatOf } from "./table.ts";
