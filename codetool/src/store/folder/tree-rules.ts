import { lstatSync } from "node:fs";
import { outsideRules, stampOf } from "../../files/index.ts";
import { checksumOf, nameHash } from "../../text/index.ts";
import { certainStamp } from "../segment/index.ts";
import { pathsBelow } from "./tree-graph.ts";

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
 * @returns The same text for the same rules; empty where only a walk can tell.
 */
export function rulesOf(
  { root, environment }: RuledTree,
  ruleFiles: readonly string[],
  seenMs: number,
): string {
  const absolute = pathsBelow(root);
  const stamps: (readonly [path: string, ...stamp: number[]])[] = [];
  for (const path of ruleFiles) {
    if (needsWalk.test(path)) return "";
    // That of the root itself: its rules are outside.
    if (path === ".git") continue;
    const stat = lstatSync(absolute(path), { throwIfNoEntry: false });
    if (stat === undefined) return "";
    const { sizeBytes, modifiedMs, changedMs, inode } = certainStamp(stampOf(stat), seenMs);
    if (Number.isNaN(modifiedMs)) return "";
    stamps.push([path, sizeBytes, modifiedMs, changedMs, inode]);
  }
  const outside = outsideRules(root, environment);
  const digest = [outside.length, checksumOf(Buffer.from(outside)), nameHash(outside)];
  return JSON.stringify([digest, ...stamps]);
}

/** The files of rules that a text of `rulesOf` names; none for any other text. */
export function ruleFilesOf(rules: string): string[] {
  try {
    const [, ...stamps] = JSON.parse(rules) as [unknown, ...(readonly [path: unknown])[]];
    return stamps.map(([path]) => (typeof path === "string" ? path : ""));
  } catch {
    // Not written by us: it equals no rules there are.
    return [];
  }
}
