import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Something that a check refuses. */
export interface Fault {
  readonly file: string;
  readonly line1: number;
  /** What was found and what is wanted. */
  readonly message: string;
}

/** A file of the repository, by its path from the root. */
export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const repository = fileURLToPath(new URL("../..", import.meta.url));
const notSources = /(?:^|\/)(?:node_modules|dist|fixtures|results)(?:\/|$)/;

/** Reads the repository's files that a pattern names, in the order of their paths; no fixtures, no results. */
export function readSources(pattern: string): SourceFile[] {
  return globSync(pattern, { cwd: repository, exclude: (path) => notSources.test(path) })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((file) => !notSources.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(repository, file), "utf8") }));
}

/** Tells whether a file is a test, or what tests share. */
export function isOfTests(file: string): boolean {
  return file.endsWith(".test.ts") || file.includes("test-support/");
}
