/**
 * Writes `split.json`: which repositories of this folder are there to fit on, and which are kept for looks that count.
 * Refuses when a repository would change its part: what was looked at stays known.
 *
 *     node lab/labels/split.ts
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { readLabelFiles } from "./read-labels.ts";
import { type LabelSplit, movedBetween, splitRepositories } from "./split-repositories.ts";

const path = join(import.meta.dirname, "split.json");
const split = splitRepositories(readLabelFiles(import.meta.dirname).map(({ file }) => file));
const before = existsSync(path)
  ? (JSON.parse(readFileSync(path, "utf8")) as LabelSplit)
  : { fit: [], kept: [] };
const moved = movedBetween(before, split);
if (moved.length > 0) {
  console.error(`split.json is not written: ${moved.join(", ")} would change the part`);
  process.exitCode = 1;
} else {
  writeFileSync(path, `${JSON.stringify(split, undefined, 2)}\n`);
  console.log(`${split.fit.length} repositories to fit, ${split.kept.length} kept`);
}
