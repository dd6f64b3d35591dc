import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { walkFiles } from "../../../codetool/src/files/index.ts";
import {
  definedNamesOf,
  type FileTree,
  type ImportingFile,
} from "../../../codetool/src/imports/index.ts";
import { extractSource, isParseable, releaseTrees } from "../../../codetool/src/syntax/index.ts";

/** A folder as the resolution of imports wants it. */
export interface SourceTree {
  readonly tree: FileTree;
  readonly files: readonly ImportingFile[];
  /** Bytes of the files that were read. */
  readonly sizeBytes: number;
  readonly extractMs: number;
}

/** Reads a folder by the rules of the walk; files over 1 MB are not parsed. */
export async function readSourceTree(folder: string): Promise<SourceTree> {
  const root = resolve(folder);
  const { files: walked } = walkFiles({ root, environment: process.env, sizeBytesMax: 1 << 20 });
  const files: ImportingFile[] = [];
  let sizeBytes = 0;
  const started = performance.now();
  for (const { relativePath, absolutePath, language } of walked) {
    if (language === null || !isParseable(language)) continue;
    const text = readFileSync(absolutePath, "utf8");
    sizeBytes += text.length;
    const source = extractSource(text, language);
    const { imports, namespaces, usedNames } = source;
    const definedNames = definedNamesOf(source);
    files.push({ path: relativePath, language, imports, namespaces, usedNames, definedNames });
    await releaseTrees();
  }
  const tree = {
    paths: walked.map(({ relativePath }) => relativePath),
    readText: (path: string) => readFileSync(resolve(root, path), "utf8"),
  };
  return { tree, files, sizeBytes, extractMs: performance.now() - started };
}
