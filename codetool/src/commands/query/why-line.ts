import type { RankedHit, WhyPlace } from "../../search/index.ts";

/**
 * Says why a line that matches comes before the next one of its file.
 *
 * @param next The match behind it; `undefined` for the last one.
 */
export function whyLine(hit: RankedHit, next: RankedHit | undefined): WhyPlace {
  const what = roleOf(hit);
  const evidence = [{ what, value: 1, points: rounded(hit.score) }];
  if (next === undefined) return { evidence, next: null };
  const behind = rounded(hit.score - next.score);
  const lacks =
    roleOf(next) === what ? [] : [{ what, value: 0, value_here: 1, points: rounded(-behind) }];
  return { evidence, next: { line: next.line1, name: null, points_behind: behind, lacks } };
}

function roleOf({ isDefinition, isDeclaration }: RankedHit): string {
  if (isDefinition) return "its line defines what was searched for";
  return isDeclaration
    ? "its line declares what was searched for"
    : "its line holds what was searched for";
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
