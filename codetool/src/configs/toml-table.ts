import { parse, TomlError } from "smol-toml";
import {
  type AddedText,
  type Addition,
  ConfigError,
  cutOnce,
  type FoundState,
  isSameValue,
  lineEndOf,
} from "./addition.ts";

/** A table of TOML, and what it holds: strings and lists of strings. */
export interface TomlTable {
  /** Its dotted name, two parts. */
  readonly path: readonly [string, string];
  readonly value: { readonly [key: string]: string | readonly string[] };
}

/** A table at the end of a TOML file, whose other lines stay as they are. */
export function tomlTable(table: TomlTable): Addition {
  return {
    kind: { kind: "toml", path: table.path },
    isMarked: false,
    find: (text) => findTable(text, table),
    add: (text) => addTable(text, table),
    take: (text, added) => takeTable(text, table, added),
  };
}

function findTable(text: string, { path: [parent, name], value }: TomlTable): FoundState {
  const tables = parsed(text)[parent];
  if (tables === undefined) return "none";
  if (typeof tables !== "object" || tables === null || Array.isArray(tables))
    throw new ConfigError(`"${parent}" is not a table`);
  const found = (tables as { readonly [name: string]: unknown })[name];
  if (found === undefined) return "none";
  return isSameValue(found, value) ? "same" : "other";
}

function addTable(text: string, table: TomlTable): AddedText {
  findTable(text, table);
  const eol = lineEndOf(text);
  const lines = Object.entries(table.value).map(([key, value]) => `${key} = ${written(value)}`);
  const own = [`[${table.path.join(".")}]`, ...lines, ""].join(eol);
  const isBlank = text.trim() === "";
  const gap = text === "" || text.endsWith("\n") ? "" : eol;
  const added = isBlank ? own : `${gap}${eol}${own}`;
  const result = text + added;
  let state: FoundState = "other";
  try {
    state = findTable(result, table);
  } catch {
    // The parent is a table in one line, which takes no other tables.
  }
  if (state !== "same")
    throw new ConfigError(`"${table.path[0]}" is written in a way that takes no further table`);
  return { text: result, added };
}

/** JSON's strings are TOML's, other than a character that TOML wants escaped. */
function written(value: string | readonly string[]): string {
  if (typeof value !== "string") return `[${value.map(written).join(", ")}]`;
  return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
}

function takeTable(text: string, table: TomlTable, added: string): string | undefined {
  if (findTable(text, table) === "none") return undefined;
  const cut = cutOnce(text, added);
  if (cut !== undefined && isWithout(cut, table)) return cut.trim() === "" ? "" : cut;
  const [parent, name] = table.path;
  // From its header to the next one that is not of a table inside.
  const header = new RegExp(`^[ \\t]*\\[\\s*${parent}\\s*\\.\\s*"?${name}"?\\s*[.\\]]`);
  const lines = text.split(/(?<=\n)/);
  let isInside = false;
  const kept = lines.filter((line) => {
    if (/^[ \t]*\[/.test(line)) isInside = header.test(line);
    return !isInside;
  });
  const rest = kept.join("");
  if (!isWithout(rest, table)) throw new ConfigError(`its table ${parent}.${name} was rewritten`);
  return rest.trim() === "" ? "" : rest;
}

function isWithout(text: string, table: TomlTable): boolean {
  try {
    return findTable(text, table) === "none";
  } catch {
    return false;
  }
}

function parsed(text: string): { readonly [name: string]: unknown } {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n", 1)[0]?.replace(/^Invalid TOML document: /, "") ?? "";
    throw new ConfigError(`line ${error.line} is not TOML: ${reason}`, { cause: error });
  }
}
