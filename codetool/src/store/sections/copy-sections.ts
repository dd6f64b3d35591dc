import type { SectionFile, SectionWriter } from "./file.ts";

/** How many bytes are copied at once. */
const stepBytes = 1 << 20;

/** Copies sections of several files, one behind the other, into sections of the same name. */
export function copySections(
  writer: SectionWriter,
  runs: readonly SectionFile[],
  names: readonly string[],
): void {
  for (const name of names) {
    writer.begin(name);
    for (const run of runs) appendSection(writer, run, name);
  }
}

/** Appends a section of a file to the one that was begun. */
export function appendSection(writer: SectionWriter, run: SectionFile, name: string): void {
  const length = run.lengthOf(name);
  for (let start = 0; start < length; start += stepBytes)
    writer.append(run.slice(name, Uint8Array, { start, end: Math.min(length, start + stepBytes) }));
}

/** A column of places: those of a later file follow those of the files before. */
export interface PlaceColumn {
  readonly name: string;
  /** How many places a file has. */
  readonly placeCountOf: (run: SectionFile) => number;
  /** A value that is not a place, and stays. */
  readonly noPlace?: number;
}

/** Copies a column of places of several files, one behind the other, into a section of the same name. */
export function copyPlaces(
  writer: SectionWriter,
  runs: readonly SectionFile[],
  { name, placeCountOf, noPlace }: PlaceColumn,
): void {
  writer.begin(name);
  let before = 0;
  for (const run of runs) {
    const places = run.array(name, Uint32Array);
    writer.append(places.map((place) => (place === noPlace ? place : place + before)));
    before += placeCountOf(run);
  }
}
