import { createHash } from "node:crypto";
import type { LabelFile } from "./label-file.ts";

/** Every how manyth repository is kept. */
const keptEvery = 3;

/** Repositories as `owner/name`, by name. */
export interface LabelSplit {
  readonly fit: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Splits repositories: two thirds to fit, one third kept. They are laid in a row by language, within one by the hash of
 * the name, and every third is kept; so each language has its share, whatever the files' order is.
 */
export function splitRepositories(
  files: readonly Pick<LabelFile, "repository" | "language">[],
): LabelSplit {
  const row = files
    .map(({ repository, language }) => ({ repository, key: `${language} ${hashOf(repository)}` }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ repository }, index) => ({ repository, isKept: index % keptEvery === keptEvery - 1 }));
  const part = (isKept: boolean): readonly string[] =>
    row
      .filter((one) => one.isKept === isKept)
      .map(({ repository }) => repository)
      .sort();
  return { fit: part(false), kept: part(true) };
}

function hashOf(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}

/** The repositories of an earlier split that a later one has in the other part. */
export function movedBetween(before: LabelSplit, after: LabelSplit): readonly string[] {
  return [
    ...before.fit.filter((name) => after.kept.includes(name)),
    ...before.kept.filter((name) => after.fit.includes(name)),
  ];
}
