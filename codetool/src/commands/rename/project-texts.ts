import { relative } from "node:path";
import type { TextEdit } from "../../edits/index.ts";
import { readFileBytes } from "../../files/index.ts";
import { type ImportingFile, languagesBeside } from "../../imports/index.ts";
import { hasWord } from "../../syntax/index.ts";
import { contentHash, decodeExactly } from "../../text/index.ts";
import type { CommandContext } from "../command.ts";
import type { FilePlaces } from "../edit/index.ts";
import type { ProjectCorpus } from "../project/index.ts";
import type { UnresolvedPlace } from "./payload.ts";

/** The largest that a project has. */
const fileSizeBytesMax = 64 * 1024 * 1024;

/** The files of a project that may use what a file defines, and their texts. */
export interface ProjectTexts {
  /** By number; those of other languages are missing. */
  readonly files: readonly (ImportingFile | undefined)[];
  /** Read once; empty for a file that is gone. */
  readonly readText: (file: number) => string;
  /** What the text was read from; kept where it has the name that is renamed. */
  readonly bytesOf: (file: number) => Buffer | undefined;
}

/** The texts of the files whose languages can use each other's definitions, for the rename of a name. */
export function textsBeside(definer: number, name: string, project: ProjectCorpus): ProjectTexts {
  const { corpus } = project;
  const family = new Set(languagesBeside(corpus.file(definer).language ?? ""));
  const all = corpus.importingFiles();
  const texts = new Map<number, string>();
  const bytesOf = new Map<number, Buffer>();
  const read = (file: number): string => {
    const bytes = readBytes(project.absolutePathOf(file));
    // Gone since the index saw it: there is nothing to rename.
    const text = bytes === undefined ? "" : decodeExactly(bytes).text;
    if (bytes !== undefined && hasWord(text, name)) bytesOf.set(file, bytes);
    texts.set(file, text);
    return text;
  };
  return {
    files: all.map((file) => (family.has(file?.language ?? "") ? file : undefined)),
    readText: (file) => texts.get(file) ?? read(file),
    bytesOf: (file) => bytesOf.get(file),
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

/** What a file is changed to: `edit` refuses it where the file is another one by now. */
export async function placesOf(
  file: number,
  edits: readonly TextEdit[],
  {
    texts,
    project,
    context,
  }: {
    readonly texts: ProjectTexts;
    readonly project: ProjectCorpus;
    readonly context: CommandContext;
  },
): Promise<FilePlaces> {
  const argument = relative(context.workingDirectory, project.absolutePathOf(file));
  const bytes = texts.bytesOf(file);
  if (bytes === undefined) throw new Error(`"${argument}" has no place of the name`);
  return { argument, hash: await contentHash(bytes), edits };
}

/** A line that a tool reads a name in. */
interface NamedLine {
  readonly line1: number;
  readonly reason: string;
}

/**
 * Finds lines where a name is not code, and a tool reads it: in Python `mock.patch("app.config.parse")` and
 * `# type: Config`, in Go the name of an example, which `go vet` wants to be that of what it shows.
 */
export function namedForTools(
  name: string,
  language: string,
  lines: readonly string[],
): readonly NamedLine[] {
  const word = name.replaceAll("$", "\\$");
  const [pattern, reason] =
    language === "python"
      ? [new RegExp(`[\\w]\\.${word}["']|#\\s*type:.*\\b${word}\\b`), "it is named in a string"]
      : [new RegExp(`^func Example(?:\\w+_)?${word}(?:_\\w*)?\\(`), "it may be an example of it"];
  if (language !== "python" && language !== "go") return [];
  return lines.flatMap((line, index) => (pattern.test(line) ? [{ line1: index + 1, reason }] : []));
}

/** The same, without lines where the string is an annotation in quotes, and renamed. */
export function namedBeside(
  edits: readonly TextEdit[],
  {
    name,
    language,
    text,
  }: { readonly name: string; readonly language: string; readonly text: string },
): readonly NamedLine[] {
  const isQuoted = ({ end }: TextEdit): boolean => /["']/.test(text[end] ?? "");
  const renamed = new Set(
    edits.filter(isQuoted).map(({ start }) => text.slice(0, start).split("\n").length),
  );
  return namedForTools(name, language, text.split("\n")).filter(({ line1 }) => !renamed.has(line1));
}

/** The text of a file; empty where it is gone. */
export function readExactly(path: string): string {
  const bytes = readBytes(path);
  return bytes === undefined ? "" : decodeExactly(bytes).text;
}

function readBytes(path: string): Buffer | undefined {
  const content = readFileBytes(path, { sizeBytesMax: fileSizeBytesMax });
  return content.kind === "file" ? content.bytes : undefined;
}
