import { importerCountOf } from "../../imports/index.ts";
import { isDataFormat } from "../../syntax/index.ts";
import type { ContextFile } from "./files.ts";
import type { ProjectCorpus, SymbolUsers } from "../project/index.ts";

/** A definition that other files use to enter this part of the project. */
export interface Entrypoint {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly signature: string;
  /** How many files use it through an import of its file, or of a file that re-exports it. */
  readonly ref_count: number;
}

/** Entrypoints that are shown at most. */
const entrypointCountMax = 10;
/** Files whose definitions are looked at, the ones with most importers. */
const fileCountMax = 400;
/** Definitions whose users are counted exactly: those that seem to be used most. */
const exactCountMax = 40;
/** Files that are looked at for it. */
const lookCountMax = 4000;

interface Candidate extends Entrypoint {
  readonly fileNumber: number;
  /** Files that may use it, from the words of the index. */
  readonly users: Uint32Array;
  /** How many seem to. */
  readonly estimate: number;
}

/**
 * Ranks exported definitions by how many other files use them. The same word in a file is not yet a use. A file counts
 * when it imports the definition's file, or a file that re-exports it, and also names the definition: in the import, or
 * in its code if the import brings in everything. So common names such as `get` and `run` are not counted too often.
 */
export function entrypointsOf(
  files: readonly ContextFile[],
  project: ProjectCorpus,
  users: SymbolUsers,
): Entrypoint[] {
  const { corpus } = project;
  const graph = corpus.importGraph;
  const looked = files
    .filter(({ symbolCount }) => symbolCount > 0)
    .toSorted((one, other) => importerCountOf(graph, other.file) - importerCountOf(graph, one.file))
    .slice(0, fileCountMax);
  const candidates = looked
    .flatMap(({ file }) => withoutRepeats(candidatesOf(file, { project, users })))
    .sort((one, other) => other.estimate - one.estimate || compareCandidates(one, other));
  let lookCount = 0;
  const spend = (): boolean => (lookCount += 1) <= lookCountMax;
  const exact = candidates.slice(0, exactCountMax).map((candidate) => {
    const { name, fileNumber } = candidate;
    const count = users.count(name, fileNumber, { candidates: candidate.users, spend });
    return { ...candidate, ref_count: count };
  });
  return exact.sort(compareCandidates).slice(0, entrypointCountMax).map(entrypointOf);
}

function entrypointOf(candidate: Candidate): Entrypoint {
  const { name, kind, file, line, signature, ref_count } = candidate;
  return { name, kind, file, line, signature, ref_count };
}

/** What a file defines at file level and exports. */
function candidatesOf(
  file: number,
  of: { readonly project: ProjectCorpus; readonly users: SymbolUsers },
): Candidate[] {
  const { corpus, shownPathOf } = of.project;
  if (isDataFormat(corpus.file(file).language)) return [];
  const signatures = corpus.signaturesOf(file);
  const containers = corpus.containersOf(file);
  const symbols = corpus.symbolsOf(file);
  return symbols.flatMap((symbol, at): Candidate[] => {
    const { name, kind, parent, isExported, startLine1 } = symbol;
    const isOuter = parent === null || symbols[parent]?.kind === "module";
    const isMethod = kind === "method" && (containers[at] ?? "") !== "";
    if (!isOuter || !isExported || isMethod || kind === "module") return [];
    const users = of.users.candidatesOf(name, file);
    const entry = { name, kind, file: shownPathOf(file), line: startLine1, ref_count: 0 };
    const signature = signatures[at] ?? name;
    return [{ ...entry, signature, fileNumber: file, users, estimate: users.length }];
  });
}

/** The first definition of each name: overloads share one, and so do definitions whose names a macro hides. */
function withoutRepeats(candidates: readonly Candidate[]): Candidate[] {
  const names = new Set<string>();
  return candidates.filter(({ name }) => !names.has(name) && names.add(name));
}

const kindRanks: { readonly [kind: string]: number } = {
  class: 5,
  struct: 4,
  trait: 4,
  interface: 4,
  enum: 4,
  type: 3,
  function: 3,
  method: 2,
  const: 1,
};

/** More users first, then `main`, then by kind, file and line. */
function compareCandidates(one: Candidate, other: Candidate): number {
  const rankOf = ({ name, kind }: Candidate): number =>
    name === "main" ? 6 : (kindRanks[kind] ?? 0);
  return (
    other.ref_count - one.ref_count ||
    rankOf(other) - rankOf(one) ||
    one.fileNumber - other.fileNumber ||
    one.line - other.line
  );
}
