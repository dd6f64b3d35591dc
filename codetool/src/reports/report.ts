/** One failure or warning. */
export interface Finding {
  /** What failed: a test's full name, a rule's or diagnostic's code, or the kind of the trouble. */
  readonly name: string;
  /** `file:line` or `file:line:column` as the tool wrote the file; `null` where it named no place. */
  readonly location: string | null;
  /** What the tool says about it, whole. */
  readonly message: string;
  /**
   * What the file belongs to, as the tool names it: a package of Go, a workspace of npm, a module of Maven, a project of Gradle
   * (`:web`). Absent where the tool names none, and where the place is a path from the working directory.
   */
  readonly origin?: string;
}

/** What a tool's output comes to. */
export interface Report {
  /** One line. */
  readonly summary: string;
  /** Tests that passed; 0 for tools that count none. */
  readonly passed: number;
  /** Tests that failed, or errors. */
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** What a reader wants of the output with the findings: a plan's resources, the log's lines. */
  readonly tail?: string;
}

/** What came of reading an output. */
export interface ReadReport {
  /** The tool's id; `unknown` when neither the command nor the output tell. */
  readonly tool: string;
  /** Absent when nothing was recognised. */
  readonly report?: Report;
  /** What a parser threw: a defect of ours. */
  readonly defect?: unknown;
}

/** What a program printed, cleaned of colours. */
export interface ToolOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order in which the lines came. */
  readonly combined: string;
  /** `null` when a signal ended it. */
  readonly exitCode: number | null;
  /** The command and its arguments, wrappers taken off; empty where it is not known. */
  readonly words: readonly string[];
}

/** Makes the report of an output; `undefined` when nothing in it is the tool's. */
export type ParseOutput = (output: ToolOutput) => Report | undefined;

/** A report that has nothing but what is given. */
export function makeReport(parts: Partial<Report> & { readonly summary: string }): Report {
  return { passed: 0, failed: 0, skipped: 0, failures: [], warnings: [], ...parts };
}

/** Writes a place; a column needs a line. */
export function placeOf(
  file: string,
  line?: number | string | null,
  column?: number | string | null,
): string {
  if (line === undefined || line === null || line === "") return file;
  return column === undefined || column === null || column === ""
    ? `${file}:${line}`
    : `${file}:${line}:${column}`;
}

/** Joins the counts that are not 0: `"3 passed, 1 failed"`. */
export function countsText(counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(", ");
}

/** `"1 error"`, `"2 errors"`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
