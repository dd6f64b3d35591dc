import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { startTimer } from "../system/index.ts";

/** How git is started. */
export interface GitCall {
  /** Words after `git`. */
  readonly args: readonly string[];
  /** Absolute. */
  readonly workingDirectory: string;
  readonly environment: { readonly [name: string]: string };
  /** Longest wait for the whole answer, milliseconds; default 120,000. */
  readonly timeoutMs?: number;
  /** Most bytes of answer; default 256 MiB. */
  readonly answerSizeBytesMax?: number;
}

/** The result of a run of git. */
export type GitAnswer =
  | {
      readonly kind: "ended";
      readonly exitCode: number;
      readonly stdout: Buffer;
      readonly stderr: string;
    }
  | { readonly kind: "failed"; readonly reason: string };

const defaultTimeoutMs = 120_000;
const defaultAnswerSizeBytesMax = 256 * 1024 * 1024;
const stderrSizeBytesMax = 64 * 1024;

/** Configuration that may run a program or open a terminal. */
const quietConfiguration = ["-c", "core.fsmonitor=false", "-c", "core.pager=cat"];

/**
 * Runs git to its end. It never rejects: a program that is missing, hangs or prints too much also gives an answer.
 *
 * @param call Arguments and limits; standard input is empty.
 */
export async function runGit(call: GitCall): Promise<GitAnswer> {
  const child = startGit(call);
  child.stdin.end();
  const errorText = collectErrors(child.stderr);
  const timeoutMs = call.timeoutMs ?? defaultTimeoutMs;
  const answerSizeBytesMax = call.answerSizeBytesMax ?? defaultAnswerSizeBytesMax;
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  let refusal: string | undefined;
  const refuse = (reason: string): void => {
    refusal ??= reason;
    child.kill("SIGKILL");
  };
  const timer = startTimer(timeoutMs, () => refuse(`nothing more within ${timeoutMs} ms`));
  child.stdout.on("data", (part: Buffer) => {
    sizeBytes += part.length;
    if (sizeBytes <= answerSizeBytesMax) parts.push(part);
    else refuse(`more than ${answerSizeBytesMax} bytes`);
  });
  const end = await endOf(child);
  timer.stop();
  if (refusal !== undefined) return { kind: "failed", reason: refusal };
  if (typeof end === "string") return { kind: "failed", reason: end };
  return {
    kind: "ended",
    exitCode: end.exitCode,
    stdout: Buffer.concat(parts),
    stderr: errorText(),
  };
}

/** A started git with all three streams. */
export type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts git; if git is missing, the child's `error` event says so. */
export function startGit(call: GitCall): GitChild {
  const child = spawn("git", [...quietConfiguration, ...call.args], {
    cwd: call.workingDirectory,
    env: call.environment,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  // If git ends before it has read all of its input, its exit code says so.
  child.stdin.on("error", () => undefined);
  return child;
}

/** Waits for the end of a child: its exit code, or the reason why there is none. */
export function endOf(child: GitChild): Promise<{ readonly exitCode: number } | string> {
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === "ENOENT";
      resolve(isMissing ? "nothing: it is not installed, or not in PATH" : error.message);
    });
    child.once("close", (exitCode, signal) => {
      resolve(
        exitCode === null ? `nothing: it was ended by ${signal ?? "a signal"}` : { exitCode },
      );
    });
  });
}

/** Gathers a child's standard error, up to 64 KiB. */
export function collectErrors(stderr: Readable): () => string {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  stderr.on("data", (part: Buffer) => {
    if (sizeBytes < stderrSizeBytesMax) parts.push(part);
    sizeBytes += part.length;
  });
  return () => Buffer.concat(parts).toString("utf8");
}
