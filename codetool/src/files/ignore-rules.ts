import { compileGlob, type Glob } from "./glob.ts";

/** What an ignore file says about a path; `undefined` when it says nothing. */
export type IgnoreVerdict = "ignore" | "include" | undefined;

/** The compiled lines of one ignore file. */
export interface IgnoreRules {
  /**
   * Gives the verdict of the last line that matches.
   *
   * @param parts The path, name by name.
   * @param offset Count of leading parts that lead to the folder of the ignore file.
   */
  verdict(parts: readonly string[], offset: number, isDirectory: boolean): IgnoreVerdict;
}

interface Rule {
  readonly glob: Glob;
  readonly isAnchored: boolean;
  readonly isDirectoryOnly: boolean;
  readonly isNegated: boolean;
}

/**
 * Compiles an ignore file in the format of gitignore(5).
 *
 * Lines that cannot match anything are silently left out, as in git.
 *
 * @returns `undefined` when no line is left.
 */
export function compileIgnoreRules(text: string): IgnoreRules | undefined {
  const rules: Rule[] = [];
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  for (const line of body.split("\n")) {
    const rule = compileLine(line);
    if (rule !== undefined) rules.push(rule);
  }
  if (rules.length === 0) return undefined;
  const tables = tabulate(rules);
  return {
    verdict(parts, offset, isDirectory) {
      const name = parts[parts.length - 1] ?? "";
      const isApplying = (index: number): boolean =>
        isDirectory || rules[index]?.isDirectoryOnly === false;
      let best = -1;
      const byName = tables.byName.get(name);
      if (byName !== undefined) best = lastOf(byName, isApplying);
      const byRootName = parts.length === offset + 1 ? tables.byRootName.get(name) : undefined;
      if (byRootName !== undefined) best = Math.max(best, lastOf(byRootName, isApplying));
      const dot = tables.bySuffix.size === 0 ? -1 : name.lastIndexOf(".");
      const bySuffix = dot === -1 ? undefined : tables.bySuffix.get(name.slice(dot));
      if (bySuffix !== undefined)
        best = Math.max(
          best,
          lastOf(
            bySuffix,
            (index) => isApplying(index) && rules[index]?.glob.matchName(name) === true,
          ),
        );
      for (let at = tables.others.length - 1; at >= 0; at -= 1) {
        const index = tables.others[at] ?? -1;
        if (index < best) break;
        const rule = rules[index];
        if (rule === undefined || !isApplying(index)) continue;
        const isMatch = rule.isAnchored
          ? rule.glob.matchPath(parts, offset)
          : rule.glob.matchName(name);
        if (isMatch) {
          best = index;
          break;
        }
      }
      if (best === -1) return undefined;
      return rules[best]?.isNegated === true ? "include" : "ignore";
    },
  };
}

function compileLine(rawLine: string): Rule | undefined {
  let line = trimLineEnd(rawLine.endsWith("\r") ? rawLine.slice(0, -1) : rawLine);
  if (line === "" || line.startsWith("#")) return undefined;
  const isNegated = line.startsWith("!");
  if (isNegated) line = line.slice(1);
  const isDirectoryOnly = line.endsWith("/");
  if (isDirectoryOnly) line = line.slice(0, -1);
  const isRooted = line.startsWith("/");
  if (isRooted) line = line.slice(1);
  if (line === "") return undefined;
  const glob = compileGlob(line);
  if (glob === undefined) return undefined;
  return { glob, isAnchored: isRooted || line.includes("/"), isDirectoryOnly, isNegated };
}

/** Removes trailing spaces, except one that a backslash keeps. */
function trimLineEnd(line: string): string {
  if (!line.endsWith(" ")) return line;
  let end = 0;
  for (let index = 0; index < line.length; index += 1) {
    if (line[index] === "\\") {
      index += 1;
      end = Math.min(index + 1, line.length);
    } else if (line[index] !== " ") end = index + 1;
  }
  return line.slice(0, end);
}

/** Sorts rules by how they are found: most lines are plain names, `/name` or `*.extension`. */
function tabulate(rules: readonly Rule[]): {
  readonly byName: ReadonlyMap<string, number[]>;
  /** Names that mean an entry of only the ignore file's own folder. */
  readonly byRootName: ReadonlyMap<string, number[]>;
  readonly bySuffix: ReadonlyMap<string, number[]>;
  readonly others: readonly number[];
} {
  const byName = new Map<string, number[]>();
  const byRootName = new Map<string, number[]>();
  const bySuffix = new Map<string, number[]>();
  const others: number[] = [];
  for (const [index, rule] of rules.entries()) {
    const { literalName, literalSuffix } = rule.glob;
    const dot = literalSuffix?.lastIndexOf(".") ?? -1;
    if (literalName !== undefined)
      pushTo(rule.isAnchored ? byRootName : byName, literalName, index);
    else if (!rule.isAnchored && literalSuffix !== undefined && dot !== -1)
      pushTo(bySuffix, literalSuffix.slice(dot), index);
    else others.push(index);
  }
  return { byName, byRootName, bySuffix, others };
}

function pushTo(map: Map<string, number[]>, key: string, index: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [index]);
  else list.push(index);
}

function lastOf(indexes: readonly number[], isMatch: (index: number) => boolean): number {
  return indexes.findLast(isMatch) ?? -1;
}
