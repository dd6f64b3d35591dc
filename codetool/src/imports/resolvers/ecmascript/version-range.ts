/**
 * Whether a dependency's range surely leaves a version out, so that an installer takes another release of the package.
 *
 * @param range As a manifest writes it: comparators, `^`, `~`, `x`, hyphens and `||`. A tag, an address, `workspace:` and
 * whatever else is not understood leaves nothing out.
 * @param version The version of the package in the tree. One of only zeros is a stand-in that a release tool fills.
 */
export function leavesVersionOut(range: string, version: string): boolean {
  const wanted = parseVersion(version);
  if (wanted === undefined || wanted.parts.length < 3 || wanted.parts.every((part) => part === 0))
    return false;
  const alternatives = range.split("||").map((alternative) => parseAlternative(alternative.trim()));
  return alternatives.every(
    (bounds) => bounds !== undefined && bounds.some((bound) => !holds(bound, wanted)),
  );
}

interface Version {
  /** Of a range only those before the first `x`: none to three. */
  readonly parts: readonly number[];
  readonly prerelease: string;
}

interface Bound {
  readonly operator: ">" | ">=" | "<" | "<=";
  readonly parts: readonly number[];
  readonly prerelease: string;
}

function parseVersion(text: string): Version | undefined {
  const form =
    /^[v=]*(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;
  const match = form.exec(text);
  if (match === null) return undefined;
  const parts: number[] = [];
  for (const part of match.slice(1, 4)) {
    if (part === undefined || !/^\d/.test(part)) break;
    parts.push(Number(part));
  }
  return { parts, prerelease: parts.length === 3 ? (match[4] ?? "") : "" };
}

/** What all must hold of a version; `undefined` where a part is not understood. */
function parseAlternative(text: string): readonly Bound[] | undefined {
  if (text === "") return [];
  const [from, to, ...more] = text.split(/\s+-\s+/);
  const words =
    to === undefined
      ? text.replace(/([<>=~^]+)\s+/g, "$1").split(/\s+/)
      : more.length === 0
        ? [`>=${from}`, `<=${to}`]
        : [];
  const bounds: Bound[] = [];
  for (const word of words) {
    const own = parseComparator(word);
    if (own === undefined) return undefined;
    bounds.push(...own);
  }
  return words.length === 0 ? undefined : bounds;
}

function parseComparator(word: string): readonly Bound[] | undefined {
  const [, operator = "", rest = ""] = /^(\^|~>?|[<>]=?|=)?(.*)$/.exec(word) ?? [];
  const version = parseVersion(rest);
  if (version === undefined) return undefined;
  const { parts, prerelease } = version;
  if (parts.length === 0) return [];
  const least: Bound = { operator: ">=", parts: filled(parts), prerelease };
  const below = (place: number): Bound => ({
    operator: "<",
    parts: filled(parts.slice(0, place + 1).map((part, at) => (at === place ? part + 1 : part))),
    prerelease: "0",
  });
  const last = parts.length - 1;
  switch (operator) {
    case ">=":
      return [least];
    case "<":
      return [{ ...least, operator: "<" }];
    case ">":
      return [last === 2 ? { ...least, operator: ">" } : { ...below(last), operator: ">=" }];
    case "<=":
      return [last === 2 ? { ...least, operator: "<=" } : below(last)];
    case "~":
    case "~>":
      return [least, below(Math.min(1, last))];
    case "^": {
      const significant = parts.findIndex((part) => part > 0);
      return [least, below(significant === -1 ? last : significant)];
    }
    default:
      return last === 2 ? [least, { ...least, operator: "<=" }] : [least, below(last)];
  }
}

function filled(parts: readonly number[]): readonly number[] {
  return [...parts, 0, 0, 0].slice(0, 3);
}

function holds({ operator, ...bound }: Bound, version: Version): boolean {
  const order = compare(version, bound);
  if (order === 0) return operator.endsWith("=");
  return operator.startsWith(">") === order > 0;
}

function compare(left: Version, right: Version): number {
  for (let at = 0; at < 3; at += 1) {
    const difference = (left.parts[at] ?? 0) - (right.parts[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.prerelease === right.prerelease) return 0;
  if (left.prerelease === "") return 1;
  if (right.prerelease === "") return -1;
  return comparePrereleases(left.prerelease.split("."), right.prerelease.split("."));
}

function comparePrereleases(left: readonly string[], right: readonly string[]): number {
  for (const [at, word] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (word === other) continue;
    const isNumber = /^\d+$/.test(word);
    if (isNumber !== /^\d+$/.test(other)) return isNumber ? -1 : 1;
    if (isNumber) return Number(word) - Number(other);
    return word < other ? -1 : 1;
  }
  return left.length - right.length;
}
