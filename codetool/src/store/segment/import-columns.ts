import { type ImportingFile, unpackImports } from "../../imports/index.ts";
import {
  copyPlaces,
  copySections,
  GrowingBytes,
  GrowingColumn,
  type SectionFile,
  type SectionWriter,
} from "../sections/index.ts";

/** What the files of a segment import and define while it is built, one record a file. */
export class ImportColumns {
  readonly #records = new GrowingBytes();
  readonly #recordEnds = new GrowingColumn();
  readonly #files: Pick<ImportingFile, "path" | "language">[] = [];

  /** Appends the record of the next file, as `packImports` made it; an empty one for a file without imports and definitions. */
  add(file: Pick<ImportingFile, "path" | "language">, record: Uint8Array): void {
    this.#files.push(file);
    this.#records.append(record);
    this.#recordEnds.push(this.#records.length);
  }

  /** What was added. */
  importingFiles(): ImportingFile[] {
    return unpackAll(this.#files, this.#records.bytes(), this.#recordEnds.values());
  }

  /** Writes the sections `records` and `recordEnds`. */
  write(writer: SectionWriter): void {
    writer.section("records", this.#records.bytes());
    writer.section("recordEnds", this.#recordEnds.values());
  }
}

/** Writes the sections of several runs, one behind the other. */
export function mergeImportRecords(writer: SectionWriter, runs: readonly SectionFile[]): void {
  copySections(writer, runs, ["records"]);
  copyPlaces(writer, runs, {
    name: "recordEnds",
    placeCountOf: (run) => run.lengthOf("records"),
  });
}

/** Reads what the files of a segment import and define; a record is unpacked only when it is used. */
export function readImportingFiles(
  section: SectionFile,
  files: { readonly paths: readonly string[]; languageOf(file: number): string | null },
): ImportingFile[] {
  const records = section.array("records", Uint8Array);
  const ends = section.array("recordEnds", Uint32Array);
  const list = files.paths.map((path, file) => ({ path, language: files.languageOf(file) }));
  return unpackAll(list, records, ends);
}

function unpackAll(
  files: readonly Pick<ImportingFile, "path" | "language">[],
  records: Uint8Array,
  ends: Uint32Array,
): ImportingFile[] {
  return files.map((file, index) =>
    unpackImports(records.subarray(index === 0 ? 0 : ends[index - 1], ends[index]), file),
  );
}
