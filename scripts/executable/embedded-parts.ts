/**
 * What is in a built executable. The compiler appends one section to its runtime:
 *
 *   length (8 bytes) · names, contents and bytecode of all files · table of files · offsets (32 bytes) · trailer
 */
import { machineOf } from "./machine-of.ts";

/** A file inside of the executable. */
export interface EmbeddedPart {
  /** Without the folder that the runtime shows it in. */
  readonly name: string;
  readonly content: Buffer;
  readonly bytecodeBytes: number;
}

/** The section that the compiler appends. */
export interface EmbeddedSection {
  readonly sizeBytes: number;
  readonly parts: readonly EmbeddedPart[];
  /** Bytecode that is common to several files. */
  readonly sharedBytecodeBytes: number;
}

interface Section {
  readonly name: string;
  readonly start: number;
  readonly length: number;
}

const trailer = Buffer.from("\n---- Bun! ----\n");
const offsetsBytes = 32;
const rowBytes = 52;

/**
 * Reads the files inside of an executable.
 *
 * @throws Error where it has none, or the compiler writes them in another way.
 */
export function embeddedSection(executable: Buffer): EmbeddedSection {
  const section = sectionsOf(executable).find(({ name }) => /^[._]+bun$/.test(name));
  if (section === undefined) throw new Error("there is no section of files in this executable");
  const length = Number(executable.readBigUInt64LE(section.start));
  const start = section.start + 8;
  const bytes = executable.subarray(start, start + length);
  const end = bytes.length - trailer.length;
  if (!bytes.subarray(end).equals(trailer)) throw new Error("the section of files is cut off");
  const offsets = end - offsetsBytes;
  const [tableStart, tableLength] = [
    bytes.readUInt32LE(offsets + 8),
    bytes.readUInt32LE(offsets + 12),
  ];
  if (tableLength % rowBytes !== 0) throw new Error("the table of files has rows of another size");
  const table = bytes.subarray(tableStart, tableStart + tableLength);
  const parts = Array.from({ length: tableLength / rowBytes }, (_, index): EmbeddedPart => {
    const field = (number: number): Buffer => {
      const at = index * rowBytes + number * 8;
      const from = table.readUInt32LE(at);
      return bytes.subarray(from, from + table.readUInt32LE(at + 4));
    };
    const name = field(0)
      .toString("utf8")
      .replace(/^.*[\\/]root[\\/]/, "");
    return { name, content: field(1), bytecodeBytes: field(3).length };
  });
  const known = parts.reduce(
    (sum, { content, bytecodeBytes }) => sum + content.length + bytecodeBytes,
    0,
  );
  return { sizeBytes: length, parts, sharedBytecodeBytes: bytes.length - known };
}

function sectionsOf(bytes: Buffer): readonly Section[] {
  const system = machineOf(bytes)?.system;
  if (system === "linux") return elfSections(bytes);
  if (system === "darwin") return machoSections(bytes);
  return system === "win32" ? peSections(bytes) : [];
}

function elfSections(bytes: Buffer): readonly Section[] {
  const table = Number(bytes.readBigUInt64LE(40));
  const [size, count, namesAt] = [58, 60, 62].map((at) => bytes.readUInt16LE(at)) as [
    number,
    number,
    number,
  ];
  const offsetOf = (row: number): number => Number(bytes.readBigUInt64LE(row + 24));
  const names = offsetOf(table + namesAt * size);
  return Array.from({ length: count }, (_, index) => {
    const row = table + index * size;
    const name = textAt(bytes, names + bytes.readUInt32LE(row));
    return { name, start: offsetOf(row), length: Number(bytes.readBigUInt64LE(row + 32)) };
  });
}

const segmentCommand = 0x19;

function machoSections(bytes: Buffer): readonly Section[] {
  const sections: Section[] = [];
  let at = 32;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    const count = bytes.readUInt32LE(at) === segmentCommand ? bytes.readUInt32LE(at + 64) : 0;
    for (let index = 0; index < count; index += 1) {
      const row = at + 72 + index * 80;
      const name = textAt(bytes.subarray(0, row + 16), row);
      const length = Number(bytes.readBigUInt64LE(row + 40));
      sections.push({ name, start: bytes.readUInt32LE(row + 48), length });
    }
    at += bytes.readUInt32LE(at + 4);
  }
  return sections;
}

function peSections(bytes: Buffer): readonly Section[] {
  const header = bytes.readUInt32LE(60);
  const table = header + 24 + bytes.readUInt16LE(header + 20);
  return Array.from({ length: bytes.readUInt16LE(header + 6) }, (_, index) => {
    const row = table + index * 40;
    const name = textAt(bytes.subarray(0, row + 8), row);
    return { name, start: bytes.readUInt32LE(row + 20), length: bytes.readUInt32LE(row + 16) };
  });
}

function textAt(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString("latin1", start, end === -1 ? bytes.length : end);
}
