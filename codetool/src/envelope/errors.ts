import { defineErrors } from "./define-errors.ts";

/** An edit that was not made because its result would not be valid syntax. */
export interface RejectedEdit {
  readonly file: string;
  /** Of the result, from 1. */
  readonly line: number;
  readonly reason: string;
  readonly total_replacements: number;
  readonly total_changes: number;
  /** Of the file, which did not change. */
  readonly hash_before: string;
}

/** A text that an edit was to replace, and that is not there. */
interface UnfoundText {
  readonly path: string;
  /** The text as the message names it: which of several, and its beginning. */
  readonly what: string;
  /** Where something like it is; empty where nothing is like it. */
  readonly nearest: string;
}

/** A path or a program that does not exist. */
interface MissingPath {
  readonly path: string;
  readonly action?: "run";
  /** Default: it does not exist. */
  readonly reason?: string;
  /** What to do, where that is known better. */
  readonly remedy?: string;
  /** Of a program: the one that was most likely meant. */
  readonly nearest?: string | undefined;
}

/** A path that may not be used. */
interface DeniedPath {
  readonly path: string;
  readonly action?: "read" | "write" | "run" | "remove";
}

/** The errors of codetool, by their code in the envelope. */
export const errors = defineErrors({
  file_not_found: {
    exitCode: 1,
    isRetryable: false,
    message: ({ action, path, reason }: MissingPath) =>
      `Cannot ${action ?? "read"} "${path}": ${reason ?? "it does not exist"}`,
    remedy: "List what is there with `codetool find`",
    remedyOf: ({ action, nearest, remedy }: MissingPath) => {
      if (action !== "run") return remedy;
      return nearest === undefined ? "" : `Did you mean \`${nearest}\`?`;
    },
  },
  parse_error: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { path: string; reason: string }) => `Cannot parse "${d.path}": ${d.reason}`,
    remedy: "Read the file without structure: `codetool read`",
  },
  budget_exceeded: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { budget: number; needed: number }) =>
      `Cannot answer within ${d.budget} tokens: the smallest answer has ${d.needed}`,
    remedy: "Raise --budget, or ask for less",
  },
  invalid_range: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { range: string; reason: string }) => `Cannot select "${d.range}": ${d.reason}`,
    remedy:
      "Lines count from 1, and both ends are included; `codetool outline` lists the names of symbols",
  },
  index_missing: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { path: string; reason?: string }) =>
      `Cannot use the index of "${d.path}": ${d.reason ?? "there is none"}`,
    remedy: "Build it with `codetool index`",
  },
  index_busy: {
    exitCode: 1,
    isRetryable: true,
    message: (d: { path: string; holder: number }) =>
      `Cannot write the index of "${d.path}": process ${d.holder} is writing it`,
    remedy: "Try again when that run has ended",
  },
  disk_full: {
    exitCode: 1,
    isRetryable: true,
    message: (d: { path: string }) => `Cannot write to "${d.path}": there is no space left`,
    remedy: "Make room on the disk; what was there before is as it was",
  },
  invalid_command: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { command: string; reason: string }) => `Cannot run "${d.command}": ${d.reason}`,
    remedy: "See `codetool --help`",
  },
  permission_denied: {
    exitCode: 1,
    isRetryable: false,
    message: (d: DeniedPath) => `Cannot ${d.action ?? "read"} "${d.path}": permission denied`,
    remedy: "Run as a user that may read it; to edit, that may write to it and to its folder",
    remedyOf: ({ action }: DeniedPath) =>
      action === "run" ? "Run as a user that may run it, or make it executable" : undefined,
  },
  invalid_argument: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { argument: string; reason: string }) => `Cannot use "${d.argument}": ${d.reason}`,
    remedy: "See the command's --help",
  },
  syntax_error: {
    exitCode: 1,
    isRetryable: false,
    message: (d: RejectedEdit) =>
      `Cannot edit "${d.file}": line ${d.line} of the result is not valid syntax: ${d.reason}`,
    remedy:
      "Nothing was written: correct the replacement, or leave the check out with --no-syntax-check",
    fields: ({ reason, ...details }: RejectedEdit) => ({
      ...details,
      applied: false,
      syntax_valid: false,
      syntax_error: `line ${details.line}: ${reason}`,
    }),
  },
  no_match: {
    exitCode: 1,
    isRetryable: false,
    message: (d: UnfoundText) => `Cannot edit "${d.path}": ${d.what} is not in it`,
    remedy: "Nothing was written: see with `codetool read` what is there",
    remedyOf: ({ nearest }: UnfoundText) =>
      nearest === "" ? undefined : `Nothing was written: ${nearest}`,
  },
  file_changed: {
    exitCode: 1,
    isRetryable: true,
    message: (d: { action: string; path: string; reason: string }) =>
      `Cannot ${d.action} "${d.path}": ${d.reason}`,
    remedy: "Read it again, and go on with what is there now",
  },
  git_error: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { action: string; reason: string }) => `Cannot ${d.action}: git says ${d.reason}`,
    remedy: "Run it in a git work tree, with a revision that exists",
  },
  internal_error: {
    exitCode: 1,
    isRetryable: false,
    message: (d: { reason: string }) => `codetool failed: ${d.reason}`,
    remedy: "Report it with the command line that caused it",
  },
});
