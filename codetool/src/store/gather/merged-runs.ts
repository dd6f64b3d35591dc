import { join } from "node:path";
import type { ImportingFile } from "../../imports/index.ts";
import {
  mergeChunks,
  mergeFileTables,
  mergeImportRecords,
  mergeSymbols,
  mergeVectors,
  readFileTable,
  readImportingFiles,
  type SegmentContent,
  type SegmentFileKind,
  TrigramSet,
  writeBloomFilter,
} from "../segment/index.ts";
import { trigramBitsName } from "./write-run.ts";
import { mergeField } from "./merge-field.ts";
import { openFileSource, SectionFile, type SectionWriter } from "../sections/index.ts";

/**
 * Several runs, merged: the same bytes as one builder would have made from all their files. The files of
 * each run come after those of the run before.
 */
export class MergedRuns implements SegmentContent {
  readonly #directories: readonly string[];
  readonly #scratchDirectory: string;
  readonly fileCount: number;

  /**
   * @param directories Of the runs, in their order.
   * @param scratchDirectory Where files may lie while a segment is written.
   */
  constructor(directories: readonly string[], scratchDirectory: string) {
    this.#directories = directories;
    this.#scratchDirectory = scratchDirectory;
    this.fileCount = this.#withRuns("chunks", (runs) =>
      runs.reduce((sum, run) => sum + run.lengthOf("files.sizes") / 8, 0),
    );
  }

  importingFiles(): ImportingFile[] {
    return this.#withRuns("chunks", (chunks) =>
      this.#withRuns("imports", (imports) =>
        imports.flatMap((run, index) =>
          readImportingFiles(run, readFileTable(chunks[index] as SectionFile)),
        ),
      ),
    );
  }

  trigrams(): TrigramSet {
    return this.#withRuns("bloom", (runs) => {
      const trigrams = new TrigramSet();
      for (const run of runs) trigrams.addBits(run.array(trigramBitsName, Uint8Array));
      return trigrams;
    });
  }

  write(kind: SegmentFileKind, writer: SectionWriter): void {
    this.#withRuns(kind, (runs) => {
      switch (kind) {
        case "chunks":
          mergeFileTables(writer, runs);
          mergeChunks(writer, runs);
          break;
        case "sparse":
          this.#writeFields(writer, runs);
          break;
        case "embeddings":
          mergeVectors(writer, runs);
          break;
        case "symbols":
          mergeSymbols(writer, runs);
          break;
        case "imports":
          mergeImportRecords(writer, runs);
          break;
        case "bloom":
          writeBloomFilter(writer, this.trigrams());
          break;
      }
    });
  }

  #writeFields(writer: SectionWriter, runs: readonly SectionFile[]): void {
    for (const name of ["body", "names", "comments"] as const) {
      let documentsBefore = 0;
      const fields = runs.map((file) => {
        const field = { file, documentsBefore };
        documentsBefore += file.lengthOf(`${name}.lengths`) / 4;
        return field;
      });
      mergeField(writer, name, { runs: fields, scratchDirectory: this.#scratchDirectory });
    }
  }

  #withRuns<Result>(kind: SegmentFileKind, use: (runs: readonly SectionFile[]) => Result): Result {
    const runs: SectionFile[] = [];
    try {
      for (const directory of this.#directories)
        runs.push(openRun(join(directory, `${kind}.bin`), kind));
      return use(runs);
    } finally {
      for (const run of runs) run.close();
    }
  }
}

function openRun(path: string, kind: SegmentFileKind): SectionFile {
  return new SectionFile(openFileSource(path, { isMapped: false }), kind);
}
