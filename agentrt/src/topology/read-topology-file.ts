import { closeSync, openSync, readSync, statSync } from "node:fs";
import { fileSizeBytesMax, formatProblem, type TopologyProblem } from "./source/index.ts";
import { topologyErrors } from "./errors.ts";
import type { Topology } from "./model/index.ts";
import { type ParsedTopology, parseTopology, type ParseTopologyOptions } from "./reading/index.ts";

/**
 * Reads and parses a topology file. A file that is too large or no UTF-8 comes back as a problem.
 *
 * @param path The file.
 * @param options.kinds The table of kinds.
 * @param options.fileName Printed before every position; by default the path.
 * @returns As `parseTopology`.
 * @throws AGENTRT_TOPOLOGY_FILE_MISSING, AGENTRT_TOPOLOGY_FILE_UNREADABLE.
 */
export function parseTopologyFile(
  path: string,
  options: Omit<ParseTopologyOptions, "fileName"> & { readonly fileName?: string },
): ParsedTopology {
  const fileName = options.fileName ?? path;
  const bytes = readBytes(path, fileName);
  if (bytes === undefined)
    return failure({
      fileName,
      line1: 1,
      column1: 1,
      message: `the file is larger than ${fileSizeBytesMax} bytes`,
    });
  const badByte = findBadByte(bytes);
  if (badByte !== undefined)
    return failure({ fileName, ...badByte, message: "the file is not UTF-8 text" });
  const text = new TextDecoder().decode(bytes);
  return parseTopology(text, { ...options, fileName });
}

/**
 * Reads a topology file that must be right.
 *
 * @param path The file.
 * @param options As for `parseTopologyFile`.
 * @returns The model and the notes.
 * @throws AGENTRT_TOPOLOGY_INVALID when it is not, with all problems as `details.problems`; and as `parseTopologyFile`.
 */
export function loadTopologyFile(
  path: string,
  options: Omit<ParseTopologyOptions, "fileName"> & { readonly fileName?: string },
): { readonly topology: Topology; readonly notes: readonly TopologyProblem[] } {
  const { topology, problems, notes } = parseTopologyFile(path, options);
  if (topology !== undefined) return { topology, notes };
  const first = problems[0];
  const details = {
    first: first === undefined ? path : formatProblem(first),
    problemCount: problems.length,
    problems,
  };
  throw new topologyErrors.INVALID(details);
}

/** Reads a file or a pipe; gives nothing when it holds more than `fileSizeBytesMax`. */
function readBytes(path: string, fileName: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    const status = statSync(path);
    if (!status.isFile() && !status.isFIFO())
      throw new topologyErrors.FILE_UNREADABLE({ fileName, reason: "it is not a regular file" });
    if (status.size > fileSizeBytesMax) return undefined;
    descriptor = openSync(path, "r");
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
    if (descriptor !== undefined) closeSync(descriptor);
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

function failure(fault: Omit<TopologyProblem, "check" | "path">): ParsedTopology {
  return { problems: [{ check: "yaml-syntax", path: "", ...fault }], notes: [] };
}
