import type { ImportingFile } from "../../imports/index.ts";

/** Lines of one import at most. */
const statementLinesMax = 200;
/** How a line begins that imports something where an import may be part of an expression. */
const importingLine =
  /^\s*(?:import|export|from|use|pub\s+use|using|include|require|(?:const|let|var)\s[^=]*=\s*(?:await\s+import|require))\b/;

/** The lines of a file's imports, from 1: a name in them is not a use yet. */
export function importLinesOf(
  { imports }: Pick<ImportingFile, "imports">,
  lines: readonly string[],
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { line1, kind } of imports) {
    if (kind === "dynamic" && !importingLine.test(lines[line1 - 1] ?? "")) continue;
    let depth = 0;
    for (let at = line1; at < line1 + statementLinesMax && at <= lines.length; at += 1) {
      found.add(at);
      const line = lines[at - 1] ?? "";
      depth += (line.match(/[({]/g)?.length ?? 0) - (line.match(/[)}]/g)?.length ?? 0);
      if (depth <= 0 && !line.trimEnd().endsWith("\\")) break;
    }
  }
  return found;
}

/**
 * The names that a file gives to a symbol by its imports, besides those that it is offered under: `b` of `a as b`, `d` of
 * `import d from`.
 */
export function localNamesOf(
  { imports }: Pick<ImportingFile, "imports">,
  lines: readonly string[],
  offered: readonly string[],
): ReadonlySet<string> {
  const names = new Set(offered.filter((name) => name !== "default"));
  for (const { line1, names: taken, specifier } of imports) {
    const isTaken = offered.some((name) => taken.includes(name));
    if (!isTaken && !taken.includes("*") && taken.length > 0) continue;
    const statement = statementAt(lines, line1, specifier);
    for (const name of offered) {
      const alias = new RegExp(`(?<![\\w$])${escaped(name)}\\s*(?:\\bas\\s+|:\\s*|=\\s*)([\\w$]+)`);
      const found = taken.includes(name) ? alias.exec(statement)?.[1] : undefined;
      if (found !== undefined && !/^\d/.test(found)) names.add(found);
    }
    if (!offered.includes("default")) continue;
    const local =
      /\bimport\s+(?:type\s+)?([\w$]+)\s*(?:,|from\b)/.exec(statement)?.[1] ??
      /\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\b/.exec(statement)?.[1];
    if (
      local !== undefined &&
      (taken.includes("default") || taken.length === 0 || taken.includes("*"))
    )
      names.add(local);
  }
  return names;
}

function statementAt(lines: readonly string[], line1: number, specifier: string): string {
  let statement = "";
  for (let at = line1; at < line1 + statementLinesMax && at <= lines.length; at += 1) {
    statement += `${lines[at - 1] ?? ""}\n`;
    if (statement.includes(specifier) && /[;)}"'\w]\s*$/.test(statement)) break;
  }
  return statement;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
