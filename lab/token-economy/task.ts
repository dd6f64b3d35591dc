import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The kinds of question, in the order of the page; every repository has each once. */
export const taskKinds = [
  "where a function is defined",
  "a class or type with its body",
  "a question in words, 1",
  "a question in words, 2",
  "a question in words, 3",
  "outline of a large file",
  "what a file offers, without bodies",
  "one function of a large file",
  "an unchanged file again",
  "what changed in a file",
  "files by name",
  "two levels of the tree",
  "is it there: yes",
  "is it there: no",
  "getting to know a folder",
  "who depends on a file",
  "what a commit changed",
  "how much commits changed",
  "where a name of many hits is at home",
  "every place of a pattern",
] as const;

/** One of `taskKinds`. */
export type TaskKind = (typeof taskKinds)[number];

/** What must be in an answer: regular expressions, all of them; `^` and `$` are about the whole of a line. */
export type Proof =
  | readonly string[]
  | {
      readonly codetool: readonly string[];
      /** Of `--plain`, where it says it neither as codetool's JSON nor as the Unix side. */
      readonly plain?: readonly string[];
      readonly unix: readonly string[];
    };

/** A change made to a file before both sides are asked, and taken back after. */
export interface FileChange {
  readonly file: string;
  /** Text that occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** A question that an agent has, and the command lines that answer it on either side. */
export interface EconomyTask {
  readonly kind: TaskKind;
  readonly question: string;
  /** One command line; `{hash:FILE}` becomes the hash that an earlier `read` of the file told. */
  readonly codetool: string;
  /** The command lines that a competent agent would use instead, in order. */
  readonly unix: readonly string[];
  readonly proof: Proof;
  readonly changes?: readonly FileChange[];
}

/** The tasks of one repository. */
export interface TaskFile {
  /** Name of its checkout in the folder of checkouts. */
  readonly name: string;
  /** Owner and name at GitHub. */
  readonly repository: string;
  readonly commit: string;
  readonly tasks: readonly EconomyTask[];
}

/** Reads the task files of a folder, by name. */
export function readTaskFiles(folder: string): readonly TaskFile[] {
  return globSync("*.json", { cwd: folder })
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as TaskFile);
}

/** The patterns that one side's answer must hold; none for `plain` where the task names none. */
export function proofOf(
  { proof }: EconomyTask,
  side: "codetool" | "plain" | "unix",
): readonly string[] {
  return "unix" in proof ? (proof[side] ?? []) : proof;
}

/** What is wrong with a task file, one line each; empty when it is well formed. */
export function problemsOf({ name, commit, repository, tasks }: TaskFile): readonly string[] {
  const problems: string[] = [];
  if (!/^[0-9a-f]{40}$/.test(commit)) problems.push(`${name}: commit "${commit}" is not a full id`);
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    problems.push(`${name}: repository "${repository}" is not owner/name`);
  const kinds = tasks.map(({ kind }) => kind).join("\n");
  if (kinds !== taskKinds.join("\n")) problems.push(`${name}: not each kind once, in order`);
  for (const task of tasks)
    problems.push(...problemsOfTask(task).map((problem) => `${name}: ${task.kind}: ${problem}`));
  return problems;
}

function problemsOfTask(task: EconomyTask): string[] {
  const problems: string[] = [];
  if (!task.codetool.startsWith("codetool ")) problems.push("the command line is not codetool's");
  if (task.unix.length === 0) problems.push("no command line of the Unix side");
  if (task.unix.some((line) => /(^|[|;&]\s*)codetool /.test(line)))
    problems.push("codetool on the Unix side");
  for (const side of ["codetool", "plain", "unix"] as const) {
    const patterns = proofOf(task, side);
    if (patterns.length === 0 && side !== "plain") problems.push(`no proof for ${side}`);
    for (const pattern of patterns)
      if (!isPattern(pattern)) problems.push(`no pattern: ${pattern}`);
  }
  return problems;
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "m").source !== "(?:)";
  } catch {
    return false;
  }
}
