/**
 * Writes `split.json`: which repositories of this folder are there to fit on, and which are kept for looks that count.
 * A repository never changes its part: what was looked at is known.
 *
 *     node lab/labels/split.ts
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLabelFiles } from "./read-labels.ts";
import { type LabelSplit, splitRepositories } from "./split-repositories.ts";

const path = join(import.meta.dirname, "split.json");
const before = existsSync(path)
  ? (JSON.parse(readFileSync(path, "utf8")) as LabelSplit)
  : undefined;
const files = readLabelFiles(import.meta.dirname).map(({ file }) => file);
const split = splitRepositories(files, before);
writeFileSync(path, `${JSON.stringify(split, undefined, 2)}\n`);
console.log(`${split.fit.length} repositories to fit, ${split.kept.length} kept`);
