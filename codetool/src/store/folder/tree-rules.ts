import { outsideRules, stampOf, statAt } from "../../files/index.ts";
import { checksumOf, nameHash } from "../../text/index.ts";
import { certainStamp } from "../segment/index.ts";
import { pathsBelow } from "./paths-below.ts";

/** A tree, and what leads to the rules outside of it. */
export interface RuledTree {
  /** Absolute path. */
  readonly root: string;
  readonly environment: { readonly [name: string]: string | undefined };
}

/** Entries whose meaning no stamp shows: another repository, and an edit that a walk finishes. */
const needsWalk = /\/\.git$|(?:^|\/)\.codetool-edit$/;

/**
 * What decides, besides its folders, which files of a tree a walk lists: the texts of rules outside, and the stamps of
 * the files of rules inside.
 *
 * @param ruleFiles The entries that a walk told as rules.
 * @param seenMs When they were looked at, or before.
 * @returns The same text for the same rules; one that is not `areRulesCertain` where only a walk can tell of those inside.
 */
export function rulesOf(
  { root, environment }: RuledTree,
  ruleFiles: readonly string[],
  seenMs: number,
): string {
  const absolute = pathsBelow(root);
  const outside = outsideDigest({ root, environment });
  const uncertain = JSON.stringify([outside, null]);
  const stamps: (readonly [path: string, ...stamp: number[]])[] = [];
  for (const path of ruleFiles) {
    if (needsWalk.test(path)) return uncertain;
    // That of the root itself: its rules are outside.
    if (path === ".git") continue;
    const stat = statAt(absolute(path));
    if (stat === undefined) return uncertain;
    const { sizeBytes, modifiedMs, changedMs, inode } = certainStamp(stampOf(stat), seenMs);
    if (Number.isNaN(modifiedMs)) return uncertain;
    stamps.push([path, sizeBytes, modifiedMs, changedMs, inode]);
  }
  return JSON.stringify([outside, ...stamps]);
}

/** What `rulesOf` says of a tree of which only a walk can tell the rules inside. */
export function uncertainRulesOf(tree: RuledTree): string {
  return JSON.stringify([outsideDigest(tree), null]);
}

/** Tells whether a text of `rulesOf` stands for all rules; of one that does not only the rules outside are known. */
export function areRulesCertain(rules: string): boolean {
  return rules !== "" && !rules.endsWith(",null]");
}

/** Tells whether rules outside of a tree are the same in two texts of `rulesOf`. */
export function isSameOutside(one: string, other: string): boolean {
  return JSON.stringify(parsed(one)[0]) === JSON.stringify(parsed(other)[0]);
}

/**
 * Tells whether a walk may list other files by now than by the rules that were kept.
 *
 * @param kept A text of `rulesOf`; any other text says nothing, and is not changed.
 * @param seenMs The time, or before.
 */
export function haveRulesChanged(tree: RuledTree, kept: string, seenMs: number): boolean {
  if (parsed(kept).length === 0) return false;
  const now = rulesOf(tree, ruleFilesOf(kept), seenMs);
  return areRulesCertain(kept) ? now !== kept : !isSameOutside(now, kept);
}

function outsideDigest({ root, environment }: RuledTree): readonly (number | string)[] {
  const outside = outsideRules(root, environment);
  return [outside.length, checksumOf(Buffer.from(outside)), nameHash(outside)];
}

/** The files of rules that a text of `rulesOf` names; none for any other text. */
export function ruleFilesOf(rules: string): string[] {
  const [, ...stamps] = parsed(rules);
  return stamps.flatMap((stamp) => {
    const path: unknown = Array.isArray(stamp) ? stamp[0] : undefined;
    return typeof path === "string" ? [path] : [];
  });
}

function parsed(rules: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(rules);
    return Array.isArray(read) ? read : [];
  } catch {
    // Not written by us: it equals no rules there are.
    return [];
  }
}
