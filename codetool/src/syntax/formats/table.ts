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
