/**
 * Data formats: what has no functions and classes, and is looked through all the same.
 *
 *     text ──scanner of the format: one pass, its own stack──▶ entries (name, kind, range in UTF-16 units)
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
import { css, less, scss } from "./css.ts";
import { dockerfile } from "./dockerfile.ts";
import type { FormatSyntax } from "./entry.ts";
import { hcl } from "./hcl.ts";
import { html } from "./html.ts";
import { json } from "./json.ts";
import { makefile } from "./makefile.ts";
import { markdown } from "./markdown.ts";
import { sql } from "./sql.ts";
import { toml } from "./toml.ts";
import { yaml } from "./yaml.ts";
export type { FormatSyntax } from "./entry.ts";
export { skeletonOfFormat } from "./skeleton.ts";
export { symbolsOfFormat } from "./symbols.ts";

const formats: ReadonlyMap<string, FormatSyntax> = new Map(
  [markdown, yaml, toml, json, html, css, scss, less, sql, hcl, dockerfile, makefile].map(
    (format) => [format.language, format],
  ),
);

/** A data format's scanner by the format's name, `undefined` for what is none. */
export function formatOf(language: string): FormatSyntax | undefined {
  return formats.get(language);
}

/** The names of all data formats. */
export function formatNames(): readonly string[] {
  return [...formats.keys()];
}
