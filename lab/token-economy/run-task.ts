import { spawnSync } from "node:child_process";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type EconomyTask, type FileChange, proofOf } from "./task.ts";

/** What one side's answer to a task was. */
export interface SideResult {
  readonly commands: readonly string[];
  /** Tokens of o200k_base of all that was printed to standard output. */
  readonly tokens: number;
  /** Those of only the first command. */
  readonly firstTokens: number;
  readonly durationMs: number;
  /** Patterns of the proof that the answer lacks; empty when it is answered. */
  readonly missing: readonly string[];
}

/** A task with all answers. */
export interface TaskResult {
  readonly repository: string;
  readonly kind: string;
  readonly question: string;
  readonly codetool: SideResult;
  /** Codetool's answer with `--plain`. */
  readonly plain: SideResult;
  readonly unix: SideResult;
}

/** Where tasks are run. */
export interface TaskPlace {
  /** Name of the checkout, for the result. */
  readonly name: string;
  /** The checkout. */
  readonly folder: string;
  /** Variables of the commands; `codetool` and `rg` are found on its PATH. */
  readonly environment: { readonly [name: string]: string | undefined };
}

const outputBytesMax = 256 * 1024 * 1024;
const commandTimeoutMs = 120_000;

/** Runs both sides of a task in the checkout, with the task's changes made before and taken back after. */
export function runTask(task: EconomyTask, place: TaskPlace): TaskResult {
  const takeBack = makeChanges(task.changes ?? [], place.folder);
  try {
    const line = withHashes(task.codetool, place);
    const proofs = [proofOf(task, "codetool"), proofOf(task, "unix")] as const;
    const ownProof = proofOf(task, "plain");
    return {
      repository: place.name,
      kind: task.kind,
      question: task.question,
      codetool: { ...runSide([line], [proofs[0]], place), commands: [task.codetool] },
      // Text for people may say it as codetool does or as the other side.
      plain: {
        ...runSide([`${line} --plain`], ownProof.length === 0 ? proofs : [ownProof], place),
        commands: [`${task.codetool} --plain`],
      },
      unix: runSide(task.unix, [proofs[1]], place),
    };
  } finally {
    takeBack();
  }
}

/** Runs one command line under `sh` and returns what it printed. */
export function runLine(line: string, { folder, environment }: TaskPlace): string {
  const exit = spawnSync("sh", ["-c", line], {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    maxBuffer: outputBytesMax,
    timeout: commandTimeoutMs,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (exit.error !== undefined)
    throw new Error(`Cannot run "${line}": ${exit.error.message}`, { cause: exit.error });
  return exit.stdout;
}

/** @param proofs What one of must hold. */
function runSide(
  lines: readonly string[],
  proofs: readonly (readonly string[])[],
  place: TaskPlace,
): SideResult {
  const begunMs = performance.now();
  const output = lines.map((line) => runLine(line, place));
  const durationMs = Math.round(performance.now() - begunMs);
  const all = output.join("");
  // What codetool's Unix equivalent answered for it is no answer of codetool.
  const isFallback = /"fallback":true/.test(all.slice(0, 200));
  const missing = proofs.map((proof) => proof.filter((each) => !new RegExp(each, "m").test(all)));
  const tokens = output.map(tokensOf);
  return {
    commands: lines,
    tokens: tokens.reduce((sum, count) => sum + count, 0),
    firstTokens: tokens[0] ?? 0,
    durationMs,
    missing: isFallback
      ? ["an answer without fallback"]
      : (missing.find((each) => each.length === 0) ?? missing[0] ?? []),
  };
}

/** Names of special tokens in sources are text like any other. */
const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

function withHashes(line: string, place: TaskPlace): string {
  return line.replaceAll(/\{hash:([^}]+)\}/g, (_, file: string) => {
    const answer = JSON.parse(runLine(`codetool read ${file} --hash`, place)) as {
      readonly data: { readonly meta: { readonly hash: string } };
    };
    return answer.data.meta.hash;
  });
}

function makeChanges(changes: readonly FileChange[], folder: string): () => void {
  const before = new Map<string, { readonly bytes: Buffer; readonly modified: Date }>();
  const takeBack = (): void => {
    for (const [path, { bytes, modified }] of before) {
      writeFileSync(path, bytes);
      utimesSync(path, modified, modified);
    }
  };
  try {
    for (const { file, find, replace } of changes) {
      const path = join(folder, file);
      const bytes = readFileSync(path);
      const parts = bytes.toString("utf8").split(find);
      if (parts.length !== 2)
        throw new Error(
          `Cannot change "${file}": the text occurs in it ${parts.length - 1} times, wanted once`,
        );
      if (!before.has(path)) before.set(path, { bytes, modified: statSync(path).mtime });
      writeFileSync(path, parts.join(replace));
    }
  } catch (error) {
    takeBack();
    throw error;
  }
  return takeBack;
}
