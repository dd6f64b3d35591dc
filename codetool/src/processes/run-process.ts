import { type Buffer } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import process from "node:process";
import { BoundedLines, type CapturedText } from "./bounded-lines.ts";
import { LineSplitter } from "./line-splitter.ts";
import { ProcessTree } from "./process-tree.ts";
import { type StartedWords, windowsCommand } from "./windows-command.ts";
import { startTimer, steadyMs, type Timer } from "../system/index.ts";

/** How a child is run. */
export interface RunProcessOptions {
  /** The program and its arguments; at least one word. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly workingDirectory: string;
  readonly environment: { readonly [name: string]: string | undefined };
  /** `inherit` gives it this process's own standard input; `closed` an empty one. */
  readonly standardInput: "inherit" | "closed";
  /** How long it may take, 1 or more. */
  readonly timeoutMs: number;
  /** How long it may take to end after SIGTERM; default 2000. */
  readonly graceMs?: number;
  /** How much of each stream is kept at most; default 16 MiB. */
  readonly captureSizeBytesMax?: number;
  /** Subscribes to signals that this process gets while the child runs; the function returned ends that. */
  readonly onSignal?: (listener: (signal: NodeJS.Signals) => void) => () => void;
}

/** A child that has ended, or could not be started. */
export type FinishedProcess =
  | { readonly isStarted: false; readonly code: string; readonly message: string }
  | {
      readonly isStarted: true;
      /** The exit code; `null` when a signal ended it. */
      readonly exitCode: number | null;
      /** The signal that ended it. */
      readonly signal: NodeJS.Signals | null;
      readonly isTimedOut: boolean;
      /** The last signal that this process got and passed on. */
      readonly passedSignal: NodeJS.Signals | null;
      readonly durationMs: number;
      readonly stdout: CapturedText;
      readonly stderr: CapturedText;
      /** Both, in the order in which their lines came. */
      readonly combined: CapturedText;
      /** True when it left a process running that holds its output. */
      readonly isOutputHeld: boolean;
    };

const graceMsDefault = 2000;
/** After an interrupt, the user wants to see the summary that tools print then. */
const signalGraceFactor = 5;
const captureSizeBytesMaxDefault = 16 * 1024 * 1024;
/** Pipes that outlive the child are read until no output has come for this long. */
const silenceMsMax = 500;
/** They are read for at most this long. */
const drainMsMax = 5000;

/**
 * Runs a program to its end and captures what it prints. Nothing that the program does makes it throw; a program that
 * cannot be started is a result too.
 */
export async function runProcess(options: RunProcessOptions): Promise<FinishedProcess> {
  const startMs = steadyMs();
  const sizeBytesMax = options.captureSizeBytesMax ?? captureSizeBytesMaxDefault;
  const kept = {
    stdout: new BoundedLines(sizeBytesMax),
    stderr: new BoundedLines(sizeBytesMax),
    combined: new BoundedLines(sizeBytesMax),
  };
  // Who listens only after the start is ended by a signal in between, and leaves the child behind.
  const ending = watchEnding(options);
  let child: ChildProcess;
  try {
    const { program, args, isVerbatim } = startedWords(options);
    child = spawn(program, [...args], {
      windowsVerbatimArguments: isVerbatim,
      cwd: options.workingDirectory,
      env: options.environment,
      stdio: [options.standardInput === "inherit" ? "inherit" : "ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    ending.settle();
    return notStarted(error);
  }
  if (child.pid !== undefined) ending.began(child.pid);
  const failure = await startOf(child);
  if (failure !== undefined) {
    ending.settle();
    return notStarted(failure);
  }
  const streams = readStreams(child, kept);
  const { exitCode, signal } = await exitOf(child);
  const isOutputHeld = await streams.drained();
  ending.settle();
  return {
    isStarted: true,
    exitCode,
    signal,
    isTimedOut: ending.isTimedOut(),
    passedSignal: ending.passedSignal(),
    durationMs: steadyMs() - startMs,
    stdout: kept.stdout.read(),
    stderr: kept.stderr.read(),
    combined: kept.combined.read(),
    isOutputHeld,
  };
}

function startedWords({ argv, environment, workingDirectory }: RunProcessOptions): StartedWords {
  const [program = "", ...args] = argv;
  if (process.platform !== "win32") return { program, args, isVerbatim: false };
  // On Windows `Path` and `PATH` are the same variable.
  const of = (wanted: string): string | undefined =>
    Object.entries(environment).find(([name]) => name.toUpperCase() === wanted)?.[1];
  return windowsCommand(argv, {
    path: of("PATH") ?? "",
    extensions: of("PATHEXT"),
    workingDirectory,
    shell: of("COMSPEC"),
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  });
}

function notStarted(error: unknown): FinishedProcess {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return { isStarted: false, code, message };
}

/** @returns Why it could not be started; `undefined` when it was. */
async function startOf(child: ChildProcess): Promise<Error | undefined> {
  if (child.pid !== undefined) {
    // An error after the start, for example a signal that could not be sent, must not end this process.
    child.on("error", () => undefined);
    return undefined;
  }
  return await new Promise((resolve) => child.once("error", resolve));
}

async function exitOf(
  child: ChildProcess,
): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  if (child.exitCode !== null || child.signalCode !== null)
    return { exitCode: child.exitCode, signal: child.signalCode };
  return await new Promise((resolve) =>
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal })),
  );
}

interface KeptStreams {
  readonly stdout: BoundedLines;
  readonly stderr: BoundedLines;
  readonly combined: BoundedLines;
}

/** Reads both pipes; `drained` waits for their end, or for silence if another process holds them: then it gives true. */
function readStreams(
  child: ChildProcess,
  kept: KeptStreams,
): { readonly drained: () => Promise<boolean> } {
  const open = new Set<string>();
  let lastMs = steadyMs();
  let onChange = (): void => undefined;
  const splitters: LineSplitter[] = [];
  for (const name of ["stdout", "stderr"] as const) {
    const splitter = new LineSplitter((block) => {
      kept[name].add(block);
      kept.combined.add(block);
    });
    splitters.push(splitter);
    open.add(name);
    const stream = child[name];
    stream?.on("data", (chunk: Buffer) => {
      lastMs = steadyMs();
      splitter.push(chunk);
    });
    // A pipe that cannot be read is at its end.
    stream?.on("error", () => undefined);
    stream?.once("close", () => {
      open.delete(name);
      onChange();
    });
  }
  const drained = async (): Promise<boolean> => {
    const startMs = steadyMs();
    lastMs = startMs;
    while (open.size > 0) {
      const nowMs = steadyMs();
      const waitMs = Math.min(lastMs + silenceMsMax, startMs + drainMsMax) - nowMs;
      if (waitMs <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = startTimer(waitMs, resolve);
        onChange = () => {
          timer.stop();
          resolve();
        };
      });
    }
    const isHeld = open.size > 0;
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (const splitter of splitters) splitter.end();
    return isHeld;
  };
  return { drained };
}

/** What may end a child before its work is done. */
interface Ending {
  /** The child runs: from now on it can be ended, and a signal that came before reaches it. */
  readonly began: (leaderId: number) => void;
  readonly settle: () => void;
  readonly isTimedOut: () => boolean;
  readonly passedSignal: () => NodeJS.Signals | null;
}

/** Ends the tree when its time is over, and passes on the signals of this process. */
function watchEnding(options: RunProcessOptions): Ending {
  const graceMs = options.graceMs ?? graceMsDefault;
  let tree: ProcessTree | undefined;
  let isTimedOut = false;
  let passedSignal: NodeJS.Signals | null = null;
  let timer: Timer | undefined;
  let killTimer: Timer | undefined;
  const end = (signal: NodeJS.Signals, waitMs: number): void => {
    tree?.signal(signal);
    killTimer ??= startTimer(waitMs, () => tree?.signal("SIGKILL"));
  };
  const unsubscribe = options.onSignal?.((signal) => {
    // A second signal: the user does not want to wait any longer.
    const isAgain = passedSignal !== null;
    passedSignal = signal;
    end(isAgain ? "SIGKILL" : signal, graceMs * signalGraceFactor);
  });
  // If this process ends first, for example by a defect, the child is ended too.
  const onExit = (): void => tree?.signal("SIGKILL");
  process.once("exit", onExit);
  const began = (leaderId: number): void => {
    tree = new ProcessTree(leaderId);
    timer = startTimer(options.timeoutMs, () => {
      isTimedOut = true;
      end("SIGTERM", graceMs);
    });
    if (passedSignal !== null) tree.signal(passedSignal);
  };
  const settle = (): void => {
    const isEnded = killTimer !== undefined;
    timer?.stop();
    killTimer?.stop();
    unsubscribe?.();
    process.removeListener("exit", onExit);
    // The child itself is gone; processes of its tree that ignored SIGTERM are not.
    if (isEnded && process.platform !== "win32") tree?.signal("SIGKILL");
  };
  return { began, settle, isTimedOut: () => isTimedOut, passedSignal: () => passedSignal };
}
