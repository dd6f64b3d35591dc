import type { Chunk } from "../../index/index.ts";
import {
  copySections,
  GrowingColumn,
  type SectionFile,
  type SectionWriter,
} from "../sections/index.ts";

/** The chunks of a segment while it is built. */
export class ChunkColumns {
  readonly #startBytes = new GrowingColumn();
  readonly #endBytes = new GrowingColumn();
  readonly #startLines = new GrowingColumn();
  readonly #endLines = new GrowingColumn();

  /** How many chunks there are. */
  get length(): number {
    return this.#startBytes.length;
  }

  /** Appends a chunk of the file that is being added. */
  add(chunk: Chunk): void {
    this.#startBytes.push(chunk.startByte);
    this.#endBytes.push(chunk.endByte);
    this.#startLines.push(chunk.startLine1);
    this.#endLines.push(chunk.endLine1);
  }

  /** Writes the sections `chunks.*`. */
  write(writer: SectionWriter): void {
    writer.section("chunks.startBytes", this.#startBytes.values());
    writer.section("chunks.endBytes", this.#endBytes.values());
    writer.section("chunks.startLines", this.#startLines.values());
    writer.section("chunks.endLines", this.#endLines.values());
  }
}

/** Writes the sections `chunks.*` of several runs, one behind the other. */
export function mergeChunks(writer: SectionWriter, runs: readonly SectionFile[]): void {
  const columns = ["startBytes", "endBytes", "startLines", "endLines"];
  copySections(
    writer,
    runs,
    columns.map((column) => `chunks.${column}`),
  );
}

/** Reads some chunks of a segment, `start` included, `end` not. */
export function readChunks(
  file: SectionFile,
  range: { readonly start: number; readonly end: number },
): Chunk[] {
  const column = (name: string): Uint32Array => file.slice(`chunks.${name}`, Uint32Array, range);
  const startBytes = column("startBytes");
  const endBytes = column("endBytes");
  const startLines = column("startLines");
  const endLines = column("endLines");
  return Array.from(startBytes, (startByte, index) => ({
    startByte,
    endByte: endBytes[index] as number,
    startLine1: startLines[index] as number,
    endLine1: endLines[index] as number,
  }));
}
