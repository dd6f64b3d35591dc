import { join } from "node:path";
import type { ImportingFile } from "../../imports/index.ts";
import { FieldReader } from "./field-reader.ts";
import { type FileTable, readFileTable } from "./file-columns.ts";
import { readImportingFiles } from "./import-columns.ts";
import { IndexFault } from "../index-fault.ts";
import { openFileSource, SectionFile } from "../sections/index.ts";
import { type SegmentFileKind, segmentFiles } from "./content.ts";
import { SymbolTable } from "./symbol-columns.ts";
import { VectorTable } from "./vector-columns.ts";

/** Fields of a segment. */
export type FieldName = "body" | "names" | "comments";

/** One segment of an index, open for reading. */
export class Segment {
  readonly generation: number;
  readonly files: FileTable;
  /** Pairs of a segment's place and a file of it that this segment takes back. */
  readonly removed: Uint32Array;
  /** 1 for its files that a later segment took back. */
  readonly isRemoved: Uint8Array;
  readonly #open: { readonly [kind in SegmentFileKind]: SectionFile };
  readonly #fields = new Map<FieldName, FieldReader>();
  #symbols: SymbolTable | undefined;
  #vectors: VectorTable | undefined;
  readonly #embed: (() => Promise<SectionFile>) | undefined;
  #importing: readonly ImportingFile[] | undefined;

  /**
   * @param open Opens its file of a kind.
   * @param embed Makes its file `embeddings`, where that is made only when it is asked for.
   * @throws IndexFault when one of its files is missing or damaged.
   */
  constructor(
    generation: number,
    open: (kind: SegmentFileKind) => SectionFile,
    embed?: () => Promise<SectionFile>,
  ) {
    this.generation = generation;
    this.#embed = embed;
    const opened: { [kind: string]: SectionFile } = {};
    try {
      for (const kind of segmentFiles) opened[kind] = open(kind);
      this.#open = opened as { [kind in SegmentFileKind]: SectionFile };
      this.files = readFileTable(this.#open.chunks);
      this.removed = this.#open.chunks.array("removed", Uint32Array);
      this.isRemoved = new Uint8Array(this.files.fileCount);
    } catch (error) {
      for (const file of Object.values(opened)) file.close();
      throw error;
    }
  }

  /** The file of a kind, for what is read from it in parts. */
  file(kind: SegmentFileKind): SectionFile {
    return this.#open[kind];
  }

  /** A field of it. */
  field(name: FieldName): FieldReader {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const field = new FieldReader(this.#open.sparse, name);
    this.#fields.set(name, field);
    return field;
  }

  /** Its definitions. */
  get symbols(): SymbolTable {
    this.#symbols ??= new SymbolTable(this.#open.symbols);
    return this.#symbols;
  }

  /** Its files with what they import and define. */
  get importingFiles(): readonly ImportingFile[] {
    this.#importing ??= readImportingFiles(this.#open.imports, this.files);
    return this.#importing;
  }

  /**
   * The vectors of its chunks.
   *
   * @throws the error of `embed`, which the next call asks again.
   */
  async vectors(): Promise<VectorTable> {
    if (this.#vectors !== undefined) return this.#vectors;
    const made = new VectorTable((await this.#embed?.()) ?? this.#open.embeddings);
    this.#vectors = made;
    return made;
  }

  /** Whether its files are still as long as they were when they were opened. */
  isWhole(): boolean {
    return segmentFiles.every((kind) => this.#open[kind].isWhole());
  }

  /** Size of its files, bytes. */
  get sizeBytes(): number {
    return segmentFiles.reduce((sum, kind) => sum + this.#open[kind].sizeBytes, 0);
  }

  /**
   * Checks all of its files.
   *
   * @throws IndexFault when one is damaged.
   */
  verify(): void {
    for (const kind of segmentFiles) this.#open[kind].verify();
  }

  /** Closes its files. */
  close(): void {
    for (const kind of segmentFiles) this.#open[kind].close();
  }
}

/**
 * Opens a segment on the disk.
 *
 * @param directories Where its files may lie, tried in this order: that of a finished generation, and its own.
 */
export function openSegment(directories: readonly string[], generation: number): Segment {
  return new Segment(generation, (kind) => openFirst(directories, kind, generation));
}

function openFirst(
  directories: readonly string[],
  kind: SegmentFileKind,
  generation: number,
): SectionFile {
  let fault: IndexFault | undefined;
  for (const directory of directories) {
    const path = join(directory, `${kind}.bin`);
    try {
      // Vectors are read from the first to the last: mapped ones would count as memory that is to be collected.
      const source = openFileSource(path, { isMapped: kind !== "embeddings" });
      const file = new SectionFile(source, kind);
      if (file.generation === generation) return file;
      file.close();
      fault = new IndexFault(path, `it is of generation ${file.generation}, not ${generation}`);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      if (error instanceof IndexFault) fault = error;
      else if (code !== "ENOENT" || fault === undefined)
        fault = new IndexFault(path, `it cannot be read (${code})`, { cause: error });
    }
  }
  throw fault as IndexFault;
}
