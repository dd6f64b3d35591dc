import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { estimateTokens, errors, fitBudget } from "../../envelope/index.ts";
import { type FinishedProcess, runProcess, signalNumberOf } from "../../processes/index.ts";
import {
  cleanText,
  type Finding,
  type FoldedFinding,
  foldTwins,
  injectJsonFlags,
  readReport,
  type ReadReport,
} from "../../reports/index.ts";
import type { CommandContext, CommandResult } from "../command.ts";
import { logFallback } from "../fallback/index.ts";
import { commandWords } from "./command-words.ts";
import type { RunProgramInput } from "./input.ts";
import type { RunHead, RunProgramPayload } from "./payload.ts";
import { packageScripts } from "./package-scripts.ts";
import { openPlaces } from "./open-places.ts";
import { lastLines } from "./last-lines.ts";
import { nearestProgram } from "./nearest-program.ts";
import { loadTokenCounter } from "../../text/index.ts";

const timeoutSecondsDefault = 300;
/** As with `timeout` of GNU coreutils. */
const timedOutExitCode = 124;
/** Lines of the tail after a success, and after a failure. */
const tailLinesMax = { quiet: 10, failed: 30 };

type EndedProcess = Extract<FinishedProcess, { readonly isStarted: true }>;

/**
 * Runs a program once and summarises its output. Any exit code is an answer, not an error.
 *
 * @param read How an output becomes a report; tests give another.
 * @throws file_not_found for a program that is not there, permission_denied for one that may not be run;
 *   invalid_argument for an empty command; internal_error where a parser fails and no fallback is wanted.
 */
export async function runProgramReport(
  input: RunProgramInput,
  context: CommandContext,
  read: typeof readReport = readReport,
): Promise<CommandResult<RunProgramPayload>> {
  const { timeout: timeoutSeconds = timeoutSecondsDefault } = input;
  const given = wordsOf(input.command, context);
  checkCommand(given);
  const readScript = packageScripts(context.workingDirectory);
  const isRaw = input.raw === true;
  const isInjecting = input.auto_json === true && !isRaw;
  const argv = isInjecting ? injectJsonFlags(given, readScript) : given;
  const ended = await runProcess({
    argv,
    workingDirectory: context.workingDirectory,
    environment: context.environment,
    standardInput: context.isInputFree === true ? "inherit" : "closed",
    timeoutMs: timeoutSeconds * 1000,
    ...(context.onSignal === undefined ? {} : { onSignal: context.onSignal }),
  });
  if (!ended.isStarted) throw notStarted(argv[0] ?? "", ended, context);
  context.log?.("debug", `${argv.join(" ")} ended after ${Math.round(ended.durationMs)} ms`);
  const text = {
    stdout: cleanText(ended.stdout.text),
    stderr: cleanText(ended.stderr.text),
    combined: cleanText(ended.combined.text),
  };
  const told: ReadReport = isRaw
    ? { tool: "raw" }
    : read(argv, { ...text, exitCode: ended.exitCode }, { readScript });
  if (told.defect !== undefined) reportDefect(told, { input, argv, text: text.combined }, context);
  const parts = { input, ended, read: told, combined: text.combined, context };
  const data = await fitted(payloadOf(parts), { input, ended });
  return {
    data,
    ...(input.exit_code === true ? { exitCode: passedOn(data) } : {}),
    ...(told.defect === undefined ? {} : { isFallback: true, plain: () => data.raw ?? "" }),
    warnings: remarksOn(ended, timeoutSeconds),
    // With injected flags it prints something else than the caller would have got.
    ...(isInjecting
      ? {}
      : { unixOutput: { way: "command" as const, sizeBytes: ended.combined.sizeBytes } }),
  };
}

/** A command of one word with spaces in it was written as one string, unless a program has that name. */
function wordsOf(
  command: readonly string[],
  { workingDirectory }: CommandContext,
): readonly string[] {
  const [only = ""] = command;
  const isLine = command.length === 1 && /\s/.test(only.trim());
  return isLine && !existsSync(resolve(workingDirectory, only)) ? commandWords(only) : command;
}

/** The exit code of the program, and that of `timeout` where its time was over. */
function passedOn({ exit_code, timed_out }: RunProgramPayload): number {
  return timed_out === true ? timedOutExitCode : exit_code;
}

function checkCommand(argv: readonly string[]): void {
  if (argv.length === 0 || argv[0] === "")
    throw new errors.invalid_argument({ argument: "command", reason: "it is empty" });
  if (argv.some((word) => word.includes("\0")))
    throw new errors.invalid_argument({ argument: "command", reason: "it holds a NUL character" });
}

function notStarted(
  program: string,
  { code, message }: Extract<FinishedProcess, { readonly isStarted: false }>,
  { environment }: CommandContext,
): Error {
  if (code === "ENOENT") {
    const nearest = nearestProgram(program, environment["PATH"] ?? environment["Path"] ?? "");
    return new errors.file_not_found({ path: program, action: "run", nearest });
  }
  if (code === "EACCES" || code === "EPERM")
    return new errors.permission_denied({ path: program, action: "run" });
  return new errors.invalid_argument({
    argument: program,
    reason: `it cannot be started: ${message}`,
  });
}

function remarksOn(ended: EndedProcess, timeoutSeconds: number): string[] {
  const remarks: string[] = [];
  if (ended.isTimedOut)
    remarks.push(
      `It was ended after ${timeoutSeconds} seconds, with all processes that it had started`,
    );
  else if (ended.passedSignal !== null)
    remarks.push(`codetool got ${ended.passedSignal} and passed it on`);
  else if (ended.isOutputHeld)
    remarks.push(
      "It left something running that holds its output; what that prints from now on is not captured",
    );
  const omitted = ended.combined.omittedLineCount;
  if (omitted > 0)
    remarks.push(
      `Of ${ended.combined.lineCount} lines of output the ${omitted} in the middle were not kept`,
    );
  return remarks;
}

/** The payload before a budget. */
interface RunParts {
  readonly head: RunHead;
  readonly failures: readonly FoldedFinding[];
  readonly warnings: readonly Finding[];
  readonly tail: string | undefined;
  /** Only when a parser failed: the whole captured output. */
  readonly raw: string | undefined;
}

function payloadOf({
  input,
  ended,
  read,
  combined,
  context,
}: {
  readonly input: RunProgramInput;
  readonly ended: EndedProcess;
  readonly read: ReadReport;
  readonly combined: string;
  readonly context: CommandContext;
}): RunParts {
  const { report } = read;
  const exitCode =
    ended.exitCode ?? 128 + (ended.signal === null ? 0 : signalNumberOf(ended.signal));
  const isFailed = exitCode !== 0 || ended.isTimedOut;
  const isUnexplained =
    report === undefined || (isFailed && report.failures.length === 0) || ended.isTimedOut;
  const lines = isFailed ? tailLinesMax.failed : tailLinesMax.quiet;
  const isWhole = input.raw === true || input.full === true;
  const tail = isWhole
    ? combined
    : (report?.tail ?? (isUnexplained ? lastLines(combined, lines) : undefined));
  return {
    head: {
      exit_code: exitCode,
      ...(ended.signal === null ? {} : { signal: ended.signal }),
      ...(ended.isTimedOut ? { timed_out: true as const } : {}),
      duration_ms: Math.round(ended.durationMs),
      tool: read.tool,
      summary: report?.summary ?? endingOf(exitCode, ended),
      passed: report?.passed ?? 0,
      failed: report?.failed ?? (isFailed ? 1 : 0),
      skipped: report?.skipped ?? 0,
    },
    failures: foldTwins(openPlaces(report?.failures ?? [], combined, context)),
    warnings: openPlaces(report?.warnings ?? [], combined, context),
    tail,
    raw: read.defect === undefined ? undefined : combined,
  };
}

/**
 * Logs that a parser failed.
 *
 * @throws internal_error where no fallback is wanted.
 */
function reportDefect(
  { tool, defect }: ReadReport,
  run: { readonly input: RunProgramInput; readonly argv: readonly string[]; readonly text: string },
  context: CommandContext,
): void {
  const message = defect instanceof Error ? defect.message : "it threw";
  const trace = defect instanceof Error ? defect.stack : undefined;
  context.log?.("error", trace ?? message);
  const reason = `the parser of ${tool} failed: ${message}`;
  const failure = new errors.internal_error({ reason }, { cause: defect });
  if (context.isFallbackOff === true) throw failure;
  const source = run.argv.join(" ");
  logFallback({ command: "run", input: run.input, failure, source, raw: run.text }, context);
}

function endingOf(exitCode: number, { signal, isTimedOut }: EndedProcess): string {
  if (isTimedOut) return "timed out";
  return signal === null ? `exited ${exitCode}` : `ended by ${signal}`;
}

/** One finding or line that a budget may leave out. */
type Part =
  | { readonly kind: "failure" | "warning"; readonly finding: Finding }
  | { readonly kind: "line"; readonly line: string };

async function fitted(
  payload: RunParts,
  { input, ended }: { readonly input: RunProgramInput; readonly ended: EndedProcess },
): Promise<RunProgramPayload> {
  const { budget: budgetTokens } = input;
  if (budgetTokens === undefined) return render(payload, ended);
  const parts: Part[] = [
    ...payload.failures.map((finding): Part => ({ kind: "failure", finding })),
    ...linesFromLast(payload.tail ?? payload.raw).map((line): Part => ({ kind: "line", line })),
    ...payload.warnings.map((finding): Part => ({ kind: "warning", finding })),
  ];
  const { data } = fitBudget({
    items: parts,
    budgetTokens,
    countTokens: await loadTokenCounter(),
    render: (kept, _used, isTruncated) => {
      const findings = (kind: Part["kind"]): Finding[] =>
        kept.flatMap((part) => (part.kind === kind && part.kind !== "line" ? [part.finding] : []));
      const lines = kept.flatMap((part) => (part.kind === "line" ? [part.line] : [])).reverse();
      const shown = {
        ...payload,
        failures: findings("failure"),
        warnings: findings("warning"),
        tail: payload.tail === undefined ? undefined : lines.join("\n"),
        raw: payload.raw === undefined ? undefined : lines.join("\n"),
      };
      return { ...render(shown, ended), ...(isTruncated ? { truncated: true as const } : {}) };
    },
    addedText: (part) => JSON.stringify(part.kind === "line" ? part.line : part.finding),
  });
  return data;
}

function linesFromLast(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : text.split("\n").reverse();
}

function render(payload: RunParts, ended: EndedProcess): RunProgramPayload {
  const { failures, warnings, tail, raw } = payload;
  const shown = { ...payload.head, failures, warnings };
  const text = {
    ...(tail === undefined ? {} : { tail }),
    ...(raw === undefined ? {} : { raw, source: "captured output" as const }),
  };
  const { sizeBytes, lineCount } = ended.combined;
  const shownTokens = estimateTokens(JSON.stringify({ ...shown, ...text }));
  return {
    ...shown,
    output_lines: lineCount,
    output_tokens_saved: Math.max(0, Math.floor(sizeBytes / 4) - shownTokens),
    ...text,
  };
}
