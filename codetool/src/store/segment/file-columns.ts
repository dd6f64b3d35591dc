import {
  asBuffer,
  copyPlaces,
  copySections,
  GrowingBytes,
  GrowingColumn,
  type SectionFile,
  type SectionWriter,
} from "../sections/index.ts";
import type { IndexedFile } from "./indexed-file.ts";

/** The files of a segment while it is built. */
export class FileColumns {
  readonly #paths = new GrowingBytes();
  readonly #pathEnds = new GrowingColumn();
  readonly #sizes: number[] = [];
  readonly #modified: number[] = [];
  readonly #hashes = new GrowingBytes();
  readonly #languages = new GrowingColumn();
  readonly #languageNames = new Map<string, number>();
  readonly #chunkEnds = new GrowingColumn();
  readonly #lineCounts = new GrowingColumn();
  readonly #haveAllWords: number[] = [];

  /** How many files there are. */
  get length(): number {
    return this.#pathEnds.length;
  }

  /**
   * Appends a file.
   *
   * @param parts.chunkEnd Number of the first chunk behind its own.
   * @param parts.isText False for binary content.
   * @param parts.hasAllWords Each of its words is a term of one of its chunks.
   */
  add(
    file: IndexedFile,
    parts: {
      readonly chunkEnd: number;
      readonly lineCount: number;
      readonly isText: boolean;
      readonly hasAllWords: boolean;
    },
  ): void {
    this.#paths.append(Buffer.from(`${file.path}\0`, "utf8"));
    this.#pathEnds.push(this.#paths.length);
    this.#sizes.push(file.sizeBytes);
    this.#modified.push(file.modifiedMs);
    this.#hashes.append(Buffer.from(file.hash, "hex"));
    this.#languages.push(parts.isText ? this.#numberOf(file.language) : binaryLanguage);
    this.#chunkEnds.push(parts.chunkEnd);
    this.#lineCounts.push(parts.lineCount);
    this.#haveAllWords.push(parts.hasAllWords ? 1 : 0);
  }

  #numberOf(language: string | null): number {
    if (language === null) return noLanguage;
    const known = this.#languageNames.get(language);
    if (known !== undefined) return known;
    const number = this.#languageNames.size;
    this.#languageNames.set(language, number);
    return number;
  }

  /** Writes the sections `files.*`. */
  write(writer: SectionWriter): void {
    writer.section("files.paths", this.#paths.bytes());
    writer.section("files.pathEnds", this.#pathEnds.values());
    writer.section("files.sizes", Float64Array.from(this.#sizes));
    writer.section("files.modified", Float64Array.from(this.#modified));
    writer.section("files.hashes", this.#hashes.bytes());
    writer.section("files.languages", this.#languages.values());
    writer.section("files.languageNames", Buffer.from([...this.#languageNames.keys()].join("\n")));
    writer.section("files.chunkEnds", this.#chunkEnds.values());
    writer.section("files.lineCounts", this.#lineCounts.values());
    writer.section("files.haveAllWords", Uint8Array.from(this.#haveAllWords));
  }
}

const slash = 0x2f;
const noLanguage = 0xff_ff;
const binaryLanguage = 0xff_fe;

/** Writes the sections `files.*` of several runs, one behind the other. */
export function mergeFileTables(writer: SectionWriter, runs: readonly SectionFile[]): void {
  copySections(writer, runs, ["files.paths"]);
  copyPlaces(writer, runs, {
    name: "files.pathEnds",
    placeCountOf: (run) => run.lengthOf("files.paths"),
  });
  copySections(writer, runs, ["files.sizes", "files.modified", "files.hashes"]);
  const numbers = new Map<string, number>();
  writer.begin("files.languages");
  for (const run of runs) {
    // As files bring them: a name has its number from the first file that has it.
    const own = languageNamesOf(run).map((name) => {
      const number = numbers.get(name) ?? numbers.size;
      numbers.set(name, number);
      return number;
    });
    const languages = run.array("files.languages", Uint32Array);
    writer.append(
      languages.map((number) => (number >= binaryLanguage ? number : (own[number] as number))),
    );
  }
  writer.section("files.languageNames", Buffer.from([...numbers.keys()].join("\n")));
  copyPlaces(writer, runs, {
    name: "files.chunkEnds",
    placeCountOf: (run) => run.lengthOf("chunks.startBytes") / 4,
  });
  copySections(writer, runs, ["files.lineCounts", "files.haveAllWords"]);
}

function languageNamesOf(file: SectionFile): string[] {
  const names = Buffer.from(file.array("files.languageNames", Uint8Array)).toString("utf8");
  return names === "" ? [] : names.split("\n");
}

/** The files of a segment, read at once. */
export interface FileTable {
  readonly fileCount: number;
  /** In byte order; made when they are first asked for. */
  readonly paths: readonly string[];
  /** The paths one behind the other, a NUL behind each, and where each ends with that. */
  readonly pathBytes: Buffer;
  readonly pathEnds: Uint32Array;
  pathOf(file: number): string;
  readonly sizes: Float64Array;
  /** Milliseconds since the Unix epoch. */
  readonly modified: Float64Array;
  /** Sixteen bytes a file. */
  readonly hashes: Uint8Array;
  /** Number of the first chunk behind those of each file. */
  readonly chunkEnds: Uint32Array;
  readonly lineCounts: Uint32Array;
  /** Language of a file, `null` if its name does not show one. */
  languageOf(file: number): string | null;
  /** False for binary content. */
  isText(file: number): boolean;
  /** 1 for a file each of whose words is a term of one of its chunks. */
  readonly haveAllWords: Uint8Array;
}

/** Whether a path begins with a slash: looked for in all paths at once, since one after the other would take longer than the rest. */
function hasAbsolute(pathBytes: Buffer): boolean {
  return pathBytes[0] === slash || pathBytes.includes("\0/");
}

/** Whether a name on a path is "..": the paths are looked through as they lie, a string of each would take longer than the rest. */
function hasParent(pathBytes: Buffer): boolean {
  const isEnd = (byte: number | undefined): boolean => !byte || byte === slash;
  for (let at = pathBytes.indexOf(".."); at >= 0; at = pathBytes.indexOf("..", at + 1))
    if (isEnd(pathBytes[at - 1]) && isEnd(pathBytes[at + 2])) return true;
  return false;
}

/**
 * Reads the sections `files.*`.
 *
 * @throws IndexFault for paths that lead out of the tree.
 */
export function readFileTable(file: SectionFile): FileTable {
  const pathEnds = file.array("files.pathEnds", Uint32Array);
  const pathBytes = asBuffer(file.array("files.paths", Uint8Array));
  const languages = file.array("files.languages", Uint32Array);
  const languageNames = languageNamesOf(file);
  const pathOf = (index: number): string =>
    pathBytes.toString(
      "utf8",
      index === 0 ? 0 : pathEnds[index - 1],
      (pathEnds[index] as number) - 1,
    );
  let paths: readonly string[] | undefined;
  const readPaths = (): readonly string[] =>
    (paths ??= Array.from(pathEnds, (_, index) => pathOf(index)));
  // An index may come with a tree from a stranger: its paths must not lead out of the tree.
  if (hasAbsolute(pathBytes) || hasParent(pathBytes))
    throw file.fault("a path in it leads out of the tree");
  return {
    fileCount: pathEnds.length,
    get paths() {
      return readPaths();
    },
    pathBytes,
    pathEnds,
    pathOf,
    sizes: file.array("files.sizes", Float64Array),
    modified: file.array("files.modified", Float64Array),
    hashes: file.array("files.hashes", Uint8Array),
    chunkEnds: file.array("files.chunkEnds", Uint32Array),
    lineCounts: file.array("files.lineCounts", Uint32Array),
    languageOf: (index) => {
      const number = languages[index] as number;
      return number >= binaryLanguage ? null : (languageNames[number] ?? null);
    },
    isText: (index) => languages[index] !== binaryLanguage,
    haveAllWords: file.array("files.haveAllWords", Uint8Array),
  };
}
