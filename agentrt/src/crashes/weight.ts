import { lightWeightMax } from "./limits.ts";

/** Values of one object that are looked at: beyond it counts as heavy. */
const nodeCountMax = 4096;

/** What the value at hand may still weigh, and how many values in it may still be looked at. */
let weightLeft = 0;
let nodesLeft = 0;

/**
 * Estimates how many characters a value takes as JSON, without making that. It makes no object: each message is weighed.
 *
 * @param value Plain JSON, or what nobody has checked.
 * @param weightMax Where it may stop.
 * @returns About its length; more than `weightMax` for what is longer or has too many parts.
 */
export function weightOf(value: unknown, weightMax: number): number {
  weightLeft = weightMax;
  nodesLeft = nodeCountMax;
  weigh(value);
  return weightMax - weightLeft;
}

/**
 * Says whether a message or a reply is kept without being counted. Most are flat objects of few short values: those are weighed
 * without a call for each value.
 *
 * @param content Plain JSON, or an error.
 */
export function isLight(content: object): boolean {
  let left = lightWeightMax;
  for (const key in content) {
    const value = (content as { readonly [key: string]: unknown })[key];
    left -= key.length + 8;
    if (typeof value === "string") left -= value.length;
    else if (typeof value === "object" && value !== null)
      return weightOf(content, lightWeightMax) <= lightWeightMax;
    if (left < 0) return false;
  }
  return true;
}

function weigh(value: unknown): void {
  nodesLeft -= 1;
  if (nodesLeft < 0) weightLeft = Math.min(weightLeft, -1);
  else if (typeof value === "string") weightLeft -= value.length + 3;
  else if (typeof value !== "object" || value === null) weightLeft -= 6;
  else {
    weightLeft -= 2;
    for (const key in value) {
      weightLeft -= key.length + 4;
      if (weightLeft < 0) return;
      weigh((value as { readonly [key: string]: unknown })[key]);
    }
  }
}
