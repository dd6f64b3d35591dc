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
 *
 * @param before An earlier split: what it has stays where it is, since what was looked at is known. Repositories that came since are
 *   another row.
 */
export function splitRepositories(
  files: readonly Pick<LabelFile, "repository" | "language">[],
  before: LabelSplit = { fit: [], kept: [] },
): LabelSplit {
  const placed = new Set([...before.fit, ...before.kept]);
  const row = files
    .filter(({ repository }) => !placed.has(repository))
    .map(({ repository, language }) => ({ repository, key: `${language} ${hashOf(repository)}` }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ repository }, index) => ({ repository, isKept: index % keptEvery === keptEvery - 1 }));
  const there = new Set(files.map(({ repository }) => repository));
  const part = (isKept: boolean): readonly string[] =>
    [
      ...(isKept ? before.kept : before.fit).filter((name) => there.has(name)),
      ...row.filter((one) => one.isKept === isKept).map(({ repository }) => repository),
    ].sort();
  return { fit: part(false), kept: part(true) };
}

function hashOf(name: string): string {
  return createHash("sha256").update(name).digest("hex");
}
