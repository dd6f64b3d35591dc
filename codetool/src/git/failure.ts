import { type CommandError, errors } from "../envelope/index.ts";
import type { GitAnswer } from "./run-git.ts";

/** Returns the output of a successful git; for any other answer throws an error with git's first line. */
export function outputOf(answer: GitAnswer, action: string): Buffer {
  if (answer.kind === "ended" && answer.exitCode === 0) return answer.stdout;
  throw gitFailure(answer, action);
}

/** Makes the error for a git that failed. */
export function gitFailure(answer: GitAnswer, action: string): CommandError {
  return new errors.git_error({ action, reason: reasonOf(answer) });
}

const reasonLengthMax = 300;

function reasonOf(answer: GitAnswer): string {
  if (answer.kind === "failed") return answer.reason;
  const lines = answer.stderr.split("\n").map((line) => line.trim());
  const line = lines.find((each) => /^(fatal|error):/.test(each)) ?? lines.find(Boolean);
  if (line === undefined) return `nothing, and ended with exit code ${answer.exitCode}`;
  return line.replace(/^(?:(?:fatal|error): )+/, "").slice(0, reasonLengthMax);
}
