import { classOfPath, readFileBytes, type WalkedFile } from "../../files/index.ts";
import {
  flattenSymbols,
  extractSymbols,
  hasSymbols,
  isDataFormat,
  releaseTrees,
} from "../../syntax/index.ts";
import { readableText } from "../../text/index.ts";

/** Something that the tree has and that can be asked for. */
export interface Subject {
  /** The name of a function or a type. */
  readonly name: string;
  /** The file that defines it, relative to the folder of the bench. */
  readonly file: string;
}

/** How many subjects are picked. */
const subjectCountMax = 3;
/** How many files are looked into for names. */
const sampleCountMax = 60;
/** Neither a stub nor a table. */
const [fileBytesMin, fileBytesMax] = [500, 200_000];
const nameCharactersMin = 5;
/** Kinds of symbols that people ask for by name. */
const askedKinds: ReadonlySet<string> = new Set([
  "function",
  "method",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
]);

/**
 * Picks names that files of a tree define: from files spread over the tree, sources before tests, the same ones each time.
 *
 * @returns At most three, of different files; none where no file has symbols.
 */
export async function pickSubjects(files: readonly WalkedFile[]): Promise<readonly Subject[]> {
  const parseable = files.filter(
    ({ language, sizeBytes }) =>
      hasSymbols(language) &&
      !isDataFormat(language) &&
      sizeBytes >= fileBytesMin &&
      sizeBytes <= fileBytesMax,
  );
  const sources = parseable.filter(({ relativePath }) => classOfPath(relativePath) === "source");
  const sample = spread(sources.length > 0 ? sources : parseable, sampleCountMax);
  const found: Subject[] = [];
  const names = new Set<string>();
  for (const file of sample) {
    const name = nameIn(file, names);
    if (name === undefined) continue;
    names.add(name);
    found.push({ name, file: file.relativePath });
    await releaseTrees();
  }
  // Names of several words are asked for in words, too, and are not mistaken for others.
  const compound = found.filter(({ name }) => wordsOf(name).length >= 2);
  return spread(compound.length >= subjectCountMax ? compound : found, subjectCountMax);
}

/** The longest definition of a file whose name is not taken yet. */
function nameIn(file: WalkedFile, taken: ReadonlySet<string>): string | undefined {
  const content = readFileBytes(file.absolutePath, { sizeBytesMax: fileBytesMax });
  const text = content.kind === "file" ? readableText(content.bytes)?.text : undefined;
  if (text === undefined) return undefined;
  let best: { readonly name: string; readonly lineCount: number } | undefined;
  for (const symbol of flattenSymbols(extractSymbols(text, file.language ?? "").symbols)) {
    const { name, kind, startLine1, endLine1 } = symbol;
    const lineCount = endLine1 - startLine1;
    const isAsked =
      askedKinds.has(kind) && name.length >= nameCharactersMin && /^[A-Za-z_]\w*$/.test(name);
    if (isAsked && !taken.has(name) && lineCount > (best?.lineCount ?? -1))
      best = { name, lineCount };
  }
  return best?.name;
}

/** Items at even distances, at most so many. */
function spread<Item>(items: readonly Item[], countMax: number): readonly Item[] {
  if (items.length <= countMax) return items;
  return Array.from({ length: countMax }, (_, at) => {
    const place = Math.floor(((at + 0.5) * items.length) / countMax);
    return items[place] as Item;
  });
}

/** The words of a compound name, in lower case. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_]+/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}
