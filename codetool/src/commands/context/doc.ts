import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ContextFile } from "./files.ts";
import { displayPath, type Target } from "../paths.ts";
import { leadingDoc, type ProjectCorpus } from "../project/index.ts";
import { readTextBytes } from "../../files/index.ts";
import { decodeText } from "../../text/index.ts";

/** What is written about a folder or a file. */
export interface ContextDoc {
  /** The file it is in. */
  readonly source: string;
  readonly text: string;
}

/** READMEs are read up to this size. */
const readmeSizeBytesMax = 1024 * 1024;
/** Files that speak for their folder, best first. */
const packageFile =
  /^(?:index\.[cm]?[jt]sx?|mod\.rs|lib\.rs|__init__\.py|doc\.go|package-info\.java|main\.\w+)$/;

/** Finds the README of a folder, else the first comment of the file that speaks for it; of a file its first comment. */
export function contextDocOf(
  target: Target,
  project: ProjectCorpus,
  options: {
    readonly files: readonly ContextFile[];
    readonly readText: (file: number) => string | undefined;
  },
): ContextDoc | undefined {
  const { files, readText } = options;
  if (target.isDirectory) {
    const readme = readmeOf(target);
    if (readme !== undefined) return readme;
  }
  const speakers = files
    .filter(({ path }) => !target.isDirectory || packageFile.test(path))
    .slice(0, 5);
  for (const { file } of speakers) {
    const text = leadingDoc(readText(file) ?? "", project.corpus.file(file).language);
    if (text !== "") return { source: project.shownPathOf(file), text };
  }
  return undefined;
}

function readmeOf(target: Target): ContextDoc | undefined {
  let names: string[];
  try {
    names = readdirSync(target.absolutePath);
  } catch {
    // A folder that cannot be listed has no README to show.
    return undefined;
  }
  const readmes = names
    .filter((name) => /^readme(?:\.(?:md|markdown|rst|txt|adoc|org))?$/i.test(name))
    .sort();
  const name = readmes.find((each) => /\.(?:md|markdown)$/i.test(each)) ?? readmes[0];
  if (name === undefined) return undefined;
  const absolutePath = join(target.absolutePath, name);
  const bytes = readTextBytes(absolutePath, { sizeBytesMax: readmeSizeBytesMax });
  if (bytes === undefined) return undefined;
  const text = decodeText(bytes)
    .text.replace(/\r\n/g, "\n")
    .replace(decoration, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return text === "" ? undefined : { source: displayPath(target, absolutePath), text };
}

/** Lines of badges, pictures and bare markup, which tell the reader of a text nothing. */
const decoration =
  /^[ \t]*(?:\[?!\[[^\n]*|<\/?(?:p|a|div|img|br|h1|picture|source|center|table|tr|td)\b[^\n]*>)[ \t]*$\n?/gim;
