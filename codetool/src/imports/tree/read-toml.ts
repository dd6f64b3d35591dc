/** Tables of a TOML text by their dotted name, each with its plain keys; `""` is the top. */
export type TomlTables = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Reads what manifests say in TOML: tables and keys with a string, or with a table on one line, whose keys come as
 * `key.inner`. Values over several lines and other types are left out. Takes no offence at what it does not know.
 */
export function readToml(text: string): TomlTables {
  const tables = new Map<string, Map<string, string>>();
  let table = new Map<string, string>();
  tables.set("", table);
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) {
      const name = header.replace(/["'\s]/g, "");
      table = tables.get(name) ?? new Map<string, string>();
      tables.set(name, table);
      continue;
    }
    const pair = /^\s*([\w."'-]+)\s*=\s*(.*)$/.exec(line);
    if (pair === null) continue;
    const key = (pair[1] ?? "").replace(/["']/g, "");
    const value = pair[2] ?? "";
    const text = stringValue(value);
    if (text !== undefined) table.set(key, text);
    if (!value.startsWith("{")) continue;
    table.set(key, "");
    for (const [, inner = "", quoted = ""] of value.matchAll(/([\w-]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
      table.set(`${key}.${inner}`, quoted.slice(1, -1));
    }
  }
  return tables;
}

function stringValue(value: string): string | undefined {
  const found = /^"((?:[^"\\]|\\.)*)"|^'([^']*)'/.exec(value);
  return found === null ? undefined : (found[1] ?? found[2]);
}
