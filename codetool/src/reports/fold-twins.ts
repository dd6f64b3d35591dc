import type { Finding } from "./report.ts";

/** A failure that is the same as another one except for its values. */
export interface Twin {
  readonly name: string;
  /** The lines of its message that the first one's does not have; empty where it has all. */
  readonly differs: string;
}

/** A failure with those that are the same except for their values. */
export interface FoldedFinding extends Finding {
  readonly twins?: readonly Twin[];
}

/**
 * Folds failures that differ only in their values, as those of one test with several parameters do: at the same place,
 * under another name, with a message that is the same except for numbers, quoted texts and the parameters' own words. The
 * first is whole; of the others nothing is lost but what it says too.
 */
export function foldTwins(findings: readonly Finding[]): readonly FoldedFinding[] {
  const folded: { readonly first: Finding; readonly twins: Twin[] }[] = [];
  const byKey = new Map<string, (typeof folded)[number]>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const known = key === undefined ? undefined : byKey.get(key);
    if (known === undefined || known.first.name === finding.name) {
      const own = { first: finding, twins: [] };
      folded.push(own);
      if (key !== undefined && known === undefined) byKey.set(key, own);
    } else known.twins.push({ name: finding.name, differs: linesBeyond(finding, known.first) });
  }
  return folded.map(({ first, twins }) => (twins.length === 0 ? first : { ...first, twins }));
}

/** The same for twins; `undefined` for a finding that names no line. */
function keyOf({ name, location, message }: Finding): string | undefined {
  if (location === null || !/:\d+/.test(location)) return undefined;
  const test = name.replace(/\[[^\]]*\]$|\/#?\d+$| ?\(case \d+\)$/, "");
  // A test with parameters is told by its name; others only by what they say.
  const said = test === name ? withoutValues(message) : "";
  return JSON.stringify([location, test === name ? "" : test, said]);
}

function withoutValues(message: string): string {
  return message
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`\n]*`/g, "''")
    .replaceAll(/\b0x[0-9a-f]+\b|\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, "0");
}

function linesBeyond(finding: Finding, first: Finding): string {
  const known = new Set(first.message.split("\n"));
  return finding.message
    .split("\n")
    .filter((line) => line.trim() !== "" && !known.has(line))
    .join("\n");
}
