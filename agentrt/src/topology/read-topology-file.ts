import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import {
  fileSizeBytesMax,
  formatProblem,
  type SourcePart,
  type TopologyProblem,
} from "./source/index.ts";
import { topologyErrors } from "./errors.ts";
import { salvageTopology } from "./salvage-topology.ts";
import type { Topology } from "./model/index.ts";
import { type ParsedTopology, parseParts, type ParseTopologyOptions } from "./reading/index.ts";

/** How topology files are read. */
export type ReadTopologyOptions = Omit<ParseTopologyOptions, "fileName">;

/** One file, or several of which each is laid over those before. */
export type TopologyPaths = string | readonly [string, ...string[]];

/**
 * Reads and parses a topology. A file that is too large or no UTF-8 comes back as a problem.
 *
 * @param paths The file, or the files; positions name them as they are here.
 * @param options The table of kinds, and what is put into the files.
 * @returns As `parseTopology`.
 * @throws AGENTRT_TOPOLOGY_FILE_MISSING, AGENTRT_TOPOLOGY_FILE_UNREADABLE.
 */
export function parseTopologyFile(
  paths: TopologyPaths,
  options: ReadTopologyOptions,
): ParsedTopology {
  const [first, ...others] = typeof paths === "string" ? ([paths] as const) : paths;
  const base = readPart(first);
  const overlays = others.map(readPart);
  const faults = [base, ...overlays].flatMap((part) => (isText(part) ? [] : [part]));
  if (faults.length > 0 || !isText(base)) return { problems: faults, notes: [] };
  return parseParts([base, ...overlays.filter(isText)], options);
}

/**
 * Reads a topology that must be right.
 *
 * @param paths The file, or the files.
 * @param options As for `parseTopologyFile`.
 * @returns The model, the notes, and what was read from the environment.
 * @throws AGENTRT_TOPOLOGY_INVALID when it is not, with all problems as `details.problems`; and as `parseTopologyFile`.
 */
export function loadTopologyFile(
  paths: TopologyPaths,
  options: ReadTopologyOptions,
): ParsedTopology & { readonly topology: Topology } {
  const parsed = parseTopologyFile(paths, options);
  return { ...parsed, topology: requireTopology(parsed) };
}

/**
 * Gives the model of a topology that must be right.
 *
 * @param parsed What came of the files.
 * @throws AGENTRT_TOPOLOGY_INVALID with all problems as `details.problems`.
 */
export function requireTopology({ topology, problems }: ParsedTopology): Topology {
  const [first] = problems;
  if (topology !== undefined) return topology;
  if (first === undefined) throw new TypeError("A topology without a model has no problem");
  const details = { first: formatProblem(first), problemCount: problems.length, problems };
  throw new topologyErrors.INVALID(details);
}

/**
 * Finds where a topology may listen that runs from an earlier state of files that are broken now.
 *
 * @param paths The file, or the files.
 * @param options As for `parseTopologyFile`.
 * @returns A topology with no more than what listens for operators; undefined when none of it is found.
 */
export function salvageTopologyFile(
  paths: readonly [string, ...string[]],
  options: ReadTopologyOptions,
): Topology | undefined {
  // What came on standard input was read.
  const parts = paths.filter((path) => path !== standardInput).map(readPart);
  return salvageTopology(parts.filter(isText), options);
}

/**
 * Reads the text of a topology file, to be sent elsewhere.
 *
 * @param path The file; `-` is the standard input.
 * @throws AGENTRT_TOPOLOGY_FILE_MISSING, AGENTRT_TOPOLOGY_FILE_UNREADABLE, also for a file that is too large or not UTF-8.
 */
export function readTopologyText(path: string): string {
  const part = readPart(path);
  if (isText(part)) return part.text;
  throw new topologyErrors.FILE_UNREADABLE({ fileName: path, reason: part.message });
}

function isText(part: SourcePart | TopologyProblem): part is SourcePart {
  return "text" in part;
}

function readPart(fileName: string): SourcePart | TopologyProblem {
  const bytes = readBytes(fileName);
  const fault = { check: "yaml-syntax" as const, path: "", fileName };
  if (bytes === undefined) {
    const message = `the file is larger than ${fileSizeBytesMax} bytes`;
    return { ...fault, line1: 1, column1: 1, message };
  }
  const badByte = findBadByte(bytes);
  if (badByte !== undefined) return { ...fault, ...badByte, message: "the file is not UTF-8 text" };
  return { fileName, text: new TextDecoder().decode(bytes) };
}

/** As a file name, what comes on standard input. */
const standardInput = "-";

function openFile(fileName: string): number {
  if (fileName === standardInput) return 0;
  const status = statSync(fileName);
  if (status.isFile() || status.isFIFO()) return openSync(fileName, "r");
  throw new topologyErrors.FILE_UNREADABLE({ fileName, reason: "it is not a regular file" });
}

/** Reads a file or a pipe; gives nothing when it holds more than `fileSizeBytesMax`. */
function readBytes(fileName: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openFile(fileName);
    if (fstatSync(descriptor).size > fileSizeBytesMax) return undefined;
    const bytes = Buffer.alloc(fileSizeBytesMax + 1);
    let sizeBytes = 0;
    for (;;) {
      const count = readSync(descriptor, bytes, sizeBytes, bytes.length - sizeBytes, null);
      sizeBytes += count;
      if (count === 0 || sizeBytes === bytes.length) break;
    }
    return sizeBytes > fileSizeBytesMax ? undefined : bytes.subarray(0, sizeBytes);
  } catch (cause) {
    if (cause instanceof topologyErrors.FILE_UNREADABLE) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new topologyErrors.FILE_MISSING({ fileName }, { cause });
    throw new topologyErrors.FILE_UNREADABLE({ fileName, reason: code }, { cause });
  } finally {
    if (descriptor !== undefined && fileName !== standardInput) closeSync(descriptor);
  }
}

/** Finds the first line that is not UTF-8, and how many characters of it are. */
function findBadByte(bytes: Uint8Array): { line1: number; column1: number } | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    decoder.decode(bytes);
    return undefined;
  } catch {
    const shown = new TextDecoder().decode(bytes);
    const before = shown.slice(0, shown.indexOf("\uFFFD")).split("\n");
    return { line1: before.length, column1: (before.at(-1)?.length ?? 0) + 1 };
  }
}
