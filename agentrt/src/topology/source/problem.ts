import { printable } from "../../core/index.ts";
import type { Variables } from "./substitution.ts";

/** A place in a file; both count from 1, and a column counts UTF-16 units. */
export interface SourcePosition {
  readonly line1: number;
  readonly column1: number;
  /** The file, where a topology is made of several. */
  readonly fileName?: string;
}

/** The checks of `topology validate`, by group, in the order they are printed. */
export const topologyChecks = {
  Structure: [
    "yaml-syntax",
    "variables",
    "supervision-present",
    "no-empty-supervisors",
    "tree-well-formed",
  ],
  Naming: ["agents-named", "no-duplicate-names", "no-name-conflicts"],
  Configuration: [
    "strategies",
    "backoffs",
    "max-restarts",
    "transport",
    "keys-known",
    "values",
    "references",
    "code",
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

/** A fault or remark before it is kept; without a file it is in the first one. */
type Remark = Omit<TopologyProblem, "fileName"> & { readonly fileName?: string };

/** Collects problems and notes while a file is read. No value of a variable is in them. */
export class ProblemLog {
  readonly fileName: string;
  readonly problems: TopologyProblem[] = [];
  readonly notes: TopologyProblem[] = [];
  readonly #variables: Variables | undefined;
  readonly #seen = new Set<string>();

  /**
   * @param fileName Of the first part.
   * @param variables Those that were put into it.
   */
  constructor(fileName: string, variables?: Variables) {
    this.fileName = fileName;
    this.#variables = variables;
  }

  /** Adds a fault; past `problemCountMax` it is dropped, and so is a second one of the same value. */
  problem(fault: Remark): void {
    const { path, line1, column1 } = fault;
    const place = `${fault.fileName ?? ""}:${line1}:${column1}:${path}`;
    if (fault.check !== "variables" && this.#seen.has(place)) return;
    this.#seen.add(place);
    if (this.problems.length < problemCountMax) this.problems.push(this.#kept(fault));
  }

  /** Adds a remark that refuses nothing; past `problemCountMax` it is dropped. */
  note(remark: Remark): void {
    if (this.notes.length < problemCountMax) this.notes.push(this.#kept(remark));
  }

  #kept({ message, nearest, ...rest }: Remark): TopologyProblem {
    const mask = this.#variables?.mask ?? ((text: string) => text);
    return Object.freeze({
      fileName: this.fileName,
      ...rest,
      message: mask(message),
      ...(nearest === undefined ? {} : { nearest: mask(nearest) }),
    });
  }
}

/**
 * Orders problems by where they are in the file.
 *
 * @param problems The problems, left as they are.
 * @returns A frozen copy by file, line, then column.
 */
export function sortProblems(problems: readonly TopologyProblem[]): readonly TopologyProblem[] {
  const files = [...new Set(problems.map((problem) => problem.fileName))];
  const fileOf = (problem: TopologyProblem): number => files.indexOf(problem.fileName);
  return Object.freeze(
    [...problems].sort(
      (a, b) => fileOf(a) - fileOf(b) || a.line1 - b.line1 || a.column1 - b.column1,
    ),
  );
}

/**
 * Renders one problem as compilers do, with control characters of the file as escapes.
 *
 * @param problem The problem or note.
 * @returns `file:line:column: path: message`.
 */
export function formatProblem(problem: TopologyProblem): string {
  const path = problem.path === "" ? "" : `${problem.path}: `;
  return printable(`${placeInFile(problem.fileName, problem)}: ${path}${problem.message}`);
}

/**
 * Renders a place as compilers do.
 *
 * @param fileName The file, where the position names none.
 * @param position Line and column, from 1.
 * @returns `file:line:column`.
 */
export function placeInFile(fileName: string, position: SourcePosition): string {
  return `${position.fileName ?? fileName}:${position.line1}:${position.column1}`;
}

/**
 * Names a line for a message about another place.
 *
 * @param position The line.
 * @param from The other place.
 * @returns `line 4`, or `line 4 of base.yaml` where that is another file.
 */
export function lineFrom(position: SourcePosition, from: SourcePosition): string {
  const isOther = position.fileName !== undefined && position.fileName !== from.fileName;
  return `line ${position.line1}${isOther ? ` of ${position.fileName}` : ""}`;
}
