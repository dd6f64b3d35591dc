import { execFile } from "node:child_process";
import { type CommandError, estimateTokens, type Outcome } from "../../envelope/index.ts";
import { appendFallback, fallbackLogPath } from "./fallback-log.ts";
import type { BoundCommand, CommandContext, UnixCommand } from "../command.ts";
import { loadTokenCounter } from "../../text/index.ts";
import { wallClockMs } from "../../system/index.ts";

/** How much of the other program's output is kept. */
const rawBytesMax = 1024 ** 2;
const timeoutMs = 30_000;
/** Variables that a git hook sets: with them git would use another repository. */
const repositoryVariables =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE)$/;

/**
 * Answers with the Unix equivalent of a command that failed inside, and logs it.
 *
 * @param failed.failure The error of the command; the answer has it among its warnings.
 * @returns `undefined` where the command has no equivalent, or the program cannot be started.
 */
export async function fallBack(
  bound: BoundCommand,
  failed: {
    readonly command: string;
    readonly failure: CommandError;
    readonly context: CommandContext;
  },
): Promise<Outcome | undefined> {
  const { command, failure, context } = failed;
  const { input } = bound;
  const equivalent = await bound.unixEquivalent?.();
  if (equivalent === undefined) return undefined;
  const said = await run(equivalent, context);
  if (said === undefined) return undefined;
  const source = commandLineOf(equivalent);
  const budget = "budget" in input ? input.budget : undefined;
  const kept = typeof budget === "number" ? await withinBudget(said.raw, source, budget) : said.raw;
  const isTruncated = said.isCut || kept.length < said.raw.length;
  logFallback({ command, input, failure, source, raw: said.raw }, context);
  const data = { raw: kept, source, ...(isTruncated ? { truncated: true } : {}) };
  const warning = `${failure.message}; this is what \`${equivalent.program}\` says`;
  return { data, isFallback: true, warnings: [warning], plain: () => kept };
}

interface Said {
  readonly raw: string;
  readonly isCut: boolean;
}

/** Runs the program; its exit code does not matter (`grep` exits with 1 when nothing matched). */
async function run(
  { program, args }: UnixCommand,
  context: CommandContext,
): Promise<Said | undefined> {
  const { environment, workingDirectory } = context;
  const own = Object.entries(environment).filter(([name]) => !repositoryVariables.test(name));
  return await new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      {
        cwd: workingDirectory,
        encoding: "buffer",
        env: { ...Object.fromEntries(own), LC_ALL: "C.UTF-8" },
        maxBuffer: rawBytesMax,
        timeout: timeoutMs,
        windowsHide: true,
      },
      (error, stdout) => {
        const code: unknown = error?.code;
        if (code === "ENOENT" || code === "EACCES") return resolve(undefined);
        const isCut = code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" || error?.killed === true;
        const raw = stdout.toString("utf8");
        return resolve({ raw: isCut ? raw.slice(0, raw.lastIndexOf("\n") + 1) : raw, isCut });
      },
    );
    child.stdin?.end();
  });
}

/** As many first lines as fit the budget. */
async function withinBudget(raw: string, source: string, budgetTokens: number): Promise<string> {
  const count = await loadTokenCounter().catch(() => estimateTokens);
  const ends = [0];
  for (let end = raw.indexOf("\n"); end !== -1; end = raw.indexOf("\n", end + 1))
    ends.push(end + 1);
  if (ends.at(-1) !== raw.length) ends.push(raw.length);
  const fits = (end: number): boolean => {
    const text = JSON.stringify({ raw: raw.slice(0, end), source, truncated: true });
    // A token has no more bytes than this: a text that long need not be counted.
    return text.length <= budgetTokens * 128 && count(text) <= budgetTokens;
  };
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(ends[middle] ?? 0)) low = middle;
    else high = middle - 1;
  }
  return raw.slice(0, ends[low]);
}

/** Logs a fallback; a failure to write the log is not a reason to fail. */
export function logFallback(
  of: {
    readonly command: string;
    readonly input: object;
    readonly failure: CommandError;
    readonly source: string;
    readonly raw: string;
  },
  context: CommandContext,
): void {
  const path = fallbackLogPath(context.environment);
  if (path === undefined) return;
  try {
    appendFallback(path, {
      tsSeconds: Math.floor(wallClockMs() / 1000),
      command: of.command,
      args: Object.entries(of.input).map(([name, value]) => `${name}=${String(value)}`),
      error: of.failure.message,
      fallbackCommand: of.source,
      fallbackBytes: Buffer.byteLength(of.raw),
    });
  } catch (error) {
    // The answer is good without its line in the log.
    context.log?.("warn", `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A command line as a shell would read it. */
function commandLineOf({ program, args }: UnixCommand): string {
  const quoted = args.map((arg) =>
    /^[\w./:=@%+,-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`,
  );
  return [program, ...quoted].join(" ");
}
