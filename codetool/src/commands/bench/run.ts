import { errors } from "../../envelope/index.ts";
import { findGitRoot, walkFiles } from "../../files/index.ts";
import { runProcess } from "../../processes/index.ts";
import { findIndexRoot } from "../../store/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { displayPath, displayRoot, resolveTarget } from "../paths.ts";
import { readSettings } from "../settings.ts";
import type { BenchInput } from "./input.ts";
import { makeTasks } from "./make-tasks.ts";
import { measureTask, savingsOf } from "./measure-task.ts";
import { ownProgram } from "./own-program.ts";
import type { BenchPayload, BenchTask } from "./payload.ts";
import { pickSubjects } from "./pick-subjects.ts";

/**
 * Runs `bench`.
 *
 * @throws file_not_found, permission_denied; invalid_argument for a path that is not a folder.
 */
export async function runBench(
  input: BenchInput,
  context: CommandContext,
): Promise<CommandResult<BenchPayload>> {
  const { path = "." } = input;
  const target = resolveTarget(path, context);
  if (!target.isDirectory)
    throw new errors.invalid_argument({ argument: path, reason: "wanted a folder" });
  const folder = target.absolutePath;
  const program = ownProgram();
  const { files, warnings } = walkFiles({
    root: folder,
    environment: context.environment,
    sizeBytesMax: readSettings(context.environment).fileSizeBytesMax,
  });
  const subjects = await pickSubjects(files);
  const hasCommits = await knowsCommitBefore(folder, context);
  const all = makeTasks(subjects, { hasCommits });
  const tasks: BenchTask[] = [];
  const leftOut: { readonly name: string; readonly reason: string }[] = [];
  for (const [done, task] of all.entries()) {
    context.onProgress?.({ done, total: all.length, unit: "tasks" });
    const measured = await measureTask(task, { program, folder, context });
    if ("reason" in measured) leftOut.push({ name: task.name, reason: measured.reason });
    else tasks.push(measured);
  }
  context.onProgress?.({ done: all.length, total: all.length, unit: "tasks" });
  if (subjects.length === 0)
    leftOut.push({ name: "search, read, outline", reason: "no file of the tree has symbols" });
  if (!hasCommits)
    leftOut.push({ name: "diff_commit", reason: "git knows no commit before the last one" });
  return {
    data: {
      root: displayRoot(target),
      path: displayPath(target, folder),
      files: files.length,
      has_index: findIndexRoot(folder) !== undefined,
      tasks,
      summary: summaryOf(tasks),
      left_out: leftOut,
    },
    warnings,
  };
}

function summaryOf(tasks: readonly BenchTask[]): BenchPayload["summary"] {
  const sum = (of: (task: BenchTask) => number): number =>
    tasks.reduce((total, task) => total + of(task), 0);
  const ownTokens = sum((task) => task.codetool_tokens);
  const unixTokens = sum((task) => task.baseline_tokens);
  const mean = tasks.length === 0 ? 0 : sum((task) => task.savings_pct) / tasks.length;
  return {
    total_tasks: tasks.length,
    total_codetool_tokens: ownTokens,
    total_baseline_tokens: unixTokens,
    savings_pct: savingsOf(ownTokens, unixTokens),
    avg_savings_pct: Math.round(10 * mean) / 10,
    codetool_total_ms: sum((task) => task.codetool_ms),
    baseline_total_ms: sum((task) => task.baseline_ms),
  };
}

/** Whether the folder is in a work tree of git that has a commit before the last one. */
async function knowsCommitBefore(folder: string, context: CommandContext): Promise<boolean> {
  if (findGitRoot(folder) === undefined) return false;
  const ended = await runProcess({
    argv: ["git", "rev-parse", "--verify", "--quiet", "HEAD~1"],
    workingDirectory: folder,
    environment: context.environment,
    standardInput: "closed",
    timeoutMs: 10_000,
  });
  return ended.isStarted && ended.exitCode === 0;
}
