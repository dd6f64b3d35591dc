/** Why files could not be replaced; all of them are as they were. */
export type ReplaceFailure = "denied" | "full" | "missing" | "changed" | "busy" | "failed";

/** Thrown where files could not be replaced. */
export class ReplaceError extends Error {
  readonly failure: ReplaceFailure;
  /** Absolute path of the file or folder that it failed at. */
  readonly path: string;

  constructor(failure: ReplaceFailure, path: string, options?: { readonly cause: unknown }) {
    const { cause } = options ?? {};
    super(cause instanceof Error ? cause.message : failure, options);
    this.name = "ReplaceError";
    this.failure = failure;
    this.path = path;
  }
}

const failureOfCode: ReadonlyMap<string, ReplaceFailure> = new Map([
  ["EACCES", "denied"],
  ["EPERM", "denied"],
  ["EROFS", "denied"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EFBIG", "full"],
  ["ENOENT", "missing"],
  ["ENOTDIR", "missing"],
]);

/** Makes a ReplaceError of what a system call threw. */
export function asReplaceError(error: unknown, path: string): ReplaceError {
  if (error instanceof ReplaceError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return new ReplaceError(failureOfCode.get(code) ?? "failed", path, { cause: error });
}
