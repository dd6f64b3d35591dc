import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { TextEdit } from "../../edits/index.ts";
import { type ImportingFile, languagesBeside } from "../../imports/index.ts";
import { contentHash, decodeExactly } from "../../text/index.ts";
import type { CommandContext } from "../command.ts";
import type { FilePlaces } from "../edit/index.ts";
import type { ProjectCorpus } from "../project/index.ts";
import type { UnresolvedPlace } from "./payload.ts";

/** The files of a project that may use what a file defines, and their texts. */
export interface ProjectTexts {
  /** By number; those of other languages are missing. */
  readonly files: readonly (ImportingFile | undefined)[];
  /** Read once; empty for a file that is gone. */
  readonly readText: (file: number) => string;
}

/** The texts of the files whose languages can use each other's definitions. */
export function textsBeside(definer: number, project: ProjectCorpus): ProjectTexts {
  const { corpus } = project;
  const family = new Set(languagesBeside(corpus.file(definer).language ?? ""));
  const all = corpus.importingFiles();
  const texts = new Map<number, string>();
  return {
    files: all.map((file) => (family.has(file?.language ?? "") ? file : undefined)),
    readText: (file) => {
      let text = texts.get(file);
      if (text === undefined) texts.set(file, (text = readExactly(project.absolutePathOf(file))));
      return text;
    },
  };
}

/** A place that is left, with its line. */
export function unresolvedAt(
  line1: number,
  reason: string,
  { shown, lines }: { readonly shown: string; readonly lines: readonly string[] },
): UnresolvedPlace {
  const text = (lines[line1 - 1] ?? "").trim().slice(0, 200);
  return { file: shown, line: line1, text, reason };
}

/** What a file is changed to, by its content as it is now. */
export async function placesOf(
  path: string,
  edits: readonly TextEdit[],
  { workingDirectory }: CommandContext,
): Promise<FilePlaces> {
  const hash = await contentHash(readFileSync(path));
  return { argument: relative(workingDirectory, path), hash, edits };
}

/** Lines where a string is code to a tool: `mock.patch("app.config.parse")`. */
export function* stringsWith(name: string, lines: readonly string[]): Generator<number> {
  const pattern = new RegExp(`[\\w]\\.${name.replaceAll("$", "\\$")}["']`);
  for (const [index, line] of lines.entries()) if (pattern.test(line)) yield index + 1;
}

function readExactly(path: string): string {
  try {
    return decodeExactly(readFileSync(path)).text;
  } catch {
    // Gone since the index saw it: there is nothing to rename.
    return "";
  }
}
