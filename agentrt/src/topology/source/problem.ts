import { printable } from "../../core/index.ts";

/** A place in a file; both count from 1, and a column counts UTF-16 units. */
export interface SourcePosition {
  readonly line1: number;
  readonly column1: number;
}

/** The checks of `topology validate`, by group, in the order they are printed. */
export const topologyChecks = {
  Structure: ["yaml-syntax", "supervision-present", "no-empty-supervisors", "tree-well-formed"],
  Naming: ["agents-named", "no-duplicate-names", "no-name-conflicts"],
  Configuration: [
    "strategies",
    "backoffs",
    "max-restarts",
    "transport",
    "keys-known",
    "values",
    "references",
  ],
} as const;

/** A group of checks. */
export type CheckGroup = keyof typeof topologyChecks;

/** One check of `topology validate`. */
export type TopologyCheck = (typeof topologyChecks)[CheckGroup][number];

/** One fault of a topology file, or one note on it. */
export interface TopologyProblem extends SourcePosition {
  /** The check that failed. */
  readonly check: TopologyCheck;
  readonly fileName: string;
  /** Where in the document, for example `supervision.children[1].agent.type`; empty for the whole file. */
  readonly path: string;
  /** What was found and what was wanted, one line. */
  readonly message: string;
  /** The known name nearest to an unknown one. */
  readonly nearest?: string;
}

/** Most problems kept of one file; the rest would be consequences. */
export const problemCountMax = 200;

/** Collects problems and notes while a file is read. */
export class ProblemLog {
  readonly fileName: string;
  readonly problems: TopologyProblem[] = [];
  readonly notes: TopologyProblem[] = [];

  constructor(fileName: string) {
    this.fileName = fileName;
  }

  /** Adds a fault; past `problemCountMax` it is dropped. */
  problem(fault: Omit<TopologyProblem, "fileName">): void {
    if (this.problems.length < problemCountMax)
      this.problems.push(Object.freeze({ ...fault, fileName: this.fileName }));
  }

  /** Adds a remark that refuses nothing; past `problemCountMax` it is dropped. */
  note(remark: Omit<TopologyProblem, "fileName">): void {
    if (this.notes.length < problemCountMax)
      this.notes.push(Object.freeze({ ...remark, fileName: this.fileName }));
  }
}

/**
 * Orders problems by where they are in the file.
 *
 * @param problems The problems, left as they are.
 * @returns A frozen copy by line, then column.
 */
export function sortProblems(problems: readonly TopologyProblem[]): readonly TopologyProblem[] {
  return Object.freeze([...problems].sort((a, b) => a.line1 - b.line1 || a.column1 - b.column1));
}

/**
 * Renders one problem as compilers do, with control characters of the file as escapes.
 *
 * @param problem The problem or note.
 * @returns `file:line:column: path: message`.
 */
export function formatProblem(problem: TopologyProblem): string {
  const path = problem.path === "" ? "" : `${problem.path}: `;
  const { fileName, line1, column1, message } = problem;
  return printable(`${placeInFile(fileName, { line1, column1 })}: ${path}${message}`);
}

/**
 * Renders a place as compilers do.
 *
 * @param fileName The file.
 * @param position Line and column, from 1.
 * @returns `file:line:column`.
 */
export function placeInFile(fileName: string, { line1, column1 }: SourcePosition): string {
  return `${fileName}:${line1}:${column1}`;
}
