import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LabelFile } from "./label-file.ts";

/** A label file and where it lies. */
export interface ReadLabelFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly file: LabelFile;
}

/** Reads the label files of a folder, by name: those whose name has a `+`. */
export function readLabelFiles(folder: string): readonly ReadLabelFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json") && name.includes("+"))
    .sort()
    .map((name) => ({
      name,
      file: JSON.parse(readFileSync(join(folder, name), "utf8")) as LabelFile,
    }));
}
