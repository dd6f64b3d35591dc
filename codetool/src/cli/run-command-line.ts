import { batchDescription } from "../batch/index.ts";
import { completionsDescription } from "./completions-description.ts";
import { commandDescriptions } from "./descriptions.ts";
import { mcpDescription } from "./mcp-description.ts";
import {
  envelopeLine,
  findCommand,
  nearestName,
  readLogLevel,
  executeCommand,
  executeStream,
  unknownCommand,
  type CommandContext,
  type CommandInput,
  type CommandDescription,
} from "../commands/index.ts";
import { CommandError, errors, version, type Outcome } from "../envelope/index.ts";
import { renderCommandHelp, renderProgramHelp, renderUsage } from "./help.ts";
import type { CommandLine } from "./command-line.ts";
import { linkedName } from "./linked-name.ts";
import { makeLog } from "./log.ts";
import type { Output } from "./output.ts";
import { makeProgressLine } from "./progress-line.ts";
import { serveDescription } from "./serve-description.ts";
import {
  findCommandWord,
  parseCommandArguments,
  peekGlobals,
  type GlobalValues,
  type ParsedArguments,
} from "./parse-arguments.ts";
import { UsageError } from "./usage-error.ts";
import { steadyMs } from "../system/index.ts";

/**
 * Runs one command line to its end.
 *
 * @returns The exit code: 0 answered, 1 error, 2 wrong usage.
 */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const linked = linkedName(line.invokedAs);
  const isCommand = linked !== undefined && isCommandName(linked);
  const argv = isCommand ? [linked, ...line.argv] : line.argv;
  const globals = peekGlobals(argv);
  try {
    if (linked !== undefined && !isCommand) refuseMisnamed(linked, { argv, globals });
    return await dispatch(argv, { line, globals });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return await reportUsage(error, globals, line);
  }
}

function isCommandName(name: string): boolean {
  return describe(name) !== undefined;
}

/**
 * A link whose name is nearly that of a command is a mistake. Any other may be a copy that somebody named: it is the
 * whole program, unless its first word is not a command either.
 *
 * @throws UsageError
 */
function refuseMisnamed(
  linked: string,
  { argv, globals }: { readonly argv: readonly string[]; readonly globals: GlobalValues },
): void {
  const names = commandDescriptions().map((description) => description.name);
  const nearest = nearestName(linked, names);
  const { word } = findCommandWord(argv);
  const isPlainCall =
    globals.isHelp || globals.isVersion || word === "help" || isCommandName(word ?? "");
  if (nearest === undefined && isPlainCall) return;
  const hint =
    nearest === undefined
      ? ": a link is named after a command, such as codetool-search"
      : `; did you mean codetool-${nearest}`;
  throw new UsageError(
    `this program is called codetool-${linked}, and there is no command "${linked}"${hint}`,
    { code: "invalid_command" },
  );
}

function describe(name: string): CommandDescription | undefined {
  return commandDescriptions().find((description) => description.name === name);
}

/** A command line whose command is not known yet. */
interface Unparsed {
  readonly line: CommandLine;
  readonly globals: GlobalValues;
}

async function dispatch(argv: readonly string[], { line, globals }: Unparsed): Promise<number> {
  const output = line.stdout;
  const { word, index } = findCommandWord(argv);
  if (word === undefined || word === "help")
    return await runWithoutCommand(argv.slice(index), { line, globals });
  const rest = [...argv.slice(0, index), ...argv.slice(index + 1)];
  const description = describe(word);
  if (description === undefined) throw unknownWord(word);
  const parsed = parseCommandArguments(rest, description);
  if (parsed.globals.isVersion) return await print(output, `codetool ${version}\n`);
  if (parsed.globals.isHelp) return await print(output, renderCommandHelp(description));
  if (description.name === completionsDescription.name) {
    const { renderCompletions } = await import("./completions/index.ts");
    return await print(
      output,
      renderCompletions(String(parsed.input["shell"]), commandDescriptions()),
    );
  }
  return await answer(description, parsed, line);
}

async function runWithoutCommand(
  [word, topic]: readonly string[],
  { line: { stdout: output }, globals }: Unparsed,
): Promise<number> {
  if (globals.isVersion) return await print(output, `codetool ${version}\n`);
  const description = topic === undefined ? undefined : describe(topic);
  if (description !== undefined) return await print(output, renderCommandHelp(description));
  if (globals.isHelp || word === "help")
    return await print(output, renderProgramHelp(commandDescriptions()));
  throw new UsageError("a command is missing", { code: "invalid_command" });
}

function unknownWord(word: string): UsageError {
  const names = commandDescriptions().map(({ name }) => name);
  return new UsageError(unknownCommand(word, names).message, { code: "invalid_command" });
}

async function answer(
  description: CommandDescription,
  parsed: ParsedArguments,
  line: CommandLine,
): Promise<number> {
  const output = line.stdout;
  const { globals, input } = parsed;
  const { budget: asked } = input;
  const budget = typeof asked === "number" ? asked : undefined;
  const shape = { command: description.name, globals, hasBudget: budget !== undefined };
  const context = makeContext(line, globals, description.name);
  const readInput = async (): Promise<Uint8Array> => await readAll(line.stdin);
  if (context instanceof CommandError) {
    await printOutcome({ error: context }, shape, output);
    return context.exitCode;
  }
  const definition = findCommand(description.name);
  if (definition === undefined)
    return await runFront(description, parsed, { line, context, shape });
  context.log?.("debug", `${description.name} ${JSON.stringify(input)}`);
  const answerOnce = async (outcome: Outcome): Promise<boolean> =>
    await printAnswer(outcome, { shape, budget }, { line, output });
  if (definition.bind(input).stream !== undefined) {
    output.useStream();
    const end = new AbortController();
    let endCode: number | undefined;
    line.onEnd?.((exitCode) => {
      endCode = exitCode;
      end.abort();
    });
    const options = { emit: answerOnce, signal: end.signal, context };
    const exitCode = await executeStream(definition, input, options);
    return endCode ?? exitCode;
  }
  const outcome = await executeCommand(definition, input, {
    ...context,
    isInputFree: true,
    readInput,
  });
  if (line.corpora !== undefined && "error" in outcome && outcome.error.code === "internal_error")
    throw outcome.error;
  if ("error" in outcome && outcome.error.exitCode === 2)
    throw new UsageError(outcome.error.message, { command: description.name });
  await answerOnce(outcome);
  return "error" in outcome ? outcome.error.exitCode : (outcome.exitCode ?? 0);
}

/** Runs what is not in the table: it answers many requests, over a stream or a socket. */
async function runFront(
  description: CommandDescription,
  { globals, input }: ParsedArguments,
  how: {
    readonly line: CommandLine;
    readonly context: CommandContext;
    readonly shape: AnswerShape;
  },
): Promise<number> {
  const { line, context, shape } = how;
  const output = line.stdout;
  const { budget: asked } = input;
  const budget = typeof asked === "number" ? asked : undefined;
  if (description.name === batchDescription.name) {
    if (globals.isPlain)
      throw new UsageError("batch answers only in JSON", { command: description.name });
    output.useStream();
    const { runBatch } = await import("../batch/index.ts");
    await runBatch({
      input: line.stdin,
      write: async (text) => await output.write(text),
      context,
      ...(budget === undefined ? {} : { budgetTokens: budget }),
    });
    return 0;
  }
  if (description.name === mcpDescription.name) {
    if (globals.isPlain)
      throw new UsageError("mcp answers only in JSON", { command: description.name });
    return await runMcp(input, { line, context, shape });
  }
  if (description.name === serveDescription.name) {
    const { runServe } = await import("./run-serve.ts");
    const print = async (outcome: Outcome): Promise<unknown> =>
      await printAnswer(outcome, { shape, budget }, { line, output });
    return await runServe(input, { line, context, print, runLine: runCommandLine });
  }
  throw new Error(`"${description.name}" is not a command`);
}

/** Serves MCP over the standard streams, or over HTTP until the process is to end. */
async function runMcp(
  input: CommandInput,
  how: {
    readonly line: CommandLine;
    readonly context: CommandContext;
    readonly shape: AnswerShape;
  },
): Promise<number> {
  const { line, context, shape } = how;
  const { stdout: output } = line;
  const { serveMcp, serveMcpHttp } = await import("../mcp/index.ts");
  if (input["http"] !== true) {
    const wrong = ["port", "allow_run"].find((name) => input[name] !== undefined);
    if (wrong !== undefined)
      throw new UsageError(`--${wrong.replace("_", "-")} goes with --http`, { command: "mcp" });
    output.useStream();
    await serveMcp({ input: line.stdin, write: async (text) => await output.write(text), context });
    return 0;
  }
  const end = new AbortController();
  let endCode = 0;
  line.onEnd?.((exitCode) => {
    endCode = exitCode;
    end.abort();
  });
  try {
    await serveMcpHttp({
      context,
      port: Number(input["port"] ?? 0),
      mayRun: input["allow_run"] === true,
      tell: (text) => line.stderr.write(`${text}\n`),
      signal: end.signal,
    });
    return endCode;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await printOutcome({ error }, shape, output);
    return error.exitCode;
  }
}

async function readAll(input: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of input) parts.push(typeof part === "string" ? Buffer.from(part) : part);
  return Buffer.concat(parts);
}

/** @returns False when nobody reads any more. */
async function printAnswer(
  outcome: Outcome,
  { shape, budget }: { readonly shape: AnswerShape; readonly budget: number | undefined },
  { line, output }: { readonly line: CommandLine; readonly output: Output },
): Promise<boolean> {
  const { globals } = shape;
  if (globals.isPlain && !("error" in outcome)) {
    const text = withNewline(outcome.plain?.() ?? "");
    outcome.onRendered?.(Buffer.byteLength(text));
    const isRead = await output.write(text);
    const warnings = [...(outcome.warnings ?? [])];
    // The text does not show this: a part of a file or list looks complete.
    if (outcome.data["truncated"] === true)
      warnings.push(
        `Not everything fits ${budget === undefined ? "the default budget" : `${budget} tokens`}: some was left out`,
      );
    if (!globals.isQuiet)
      for (const warning of warnings) line.stderr.write(`codetool: warning: ${warning}\n`);
    return isRead;
  }
  return await printOutcome(outcome, shape, output);
}

function makeContext(
  line: CommandLine,
  globals: GlobalValues,
  command: string,
): CommandContext | CommandError {
  const { environment, workingDirectory, onSignal, programWords: words, corpora } = line;
  if (workingDirectory === undefined)
    return new errors.file_not_found({
      path: ".",
      reason: "the working directory was deleted",
      remedy: "Change to a folder that exists",
    });
  const commandNames = commandDescriptions().map(({ name }) => name);
  const own = {
    environment,
    workingDirectory,
    ...(words === undefined ? {} : { program: { words, commandNames } }),
    ...(onSignal === undefined ? {} : { onSignal }),
    ...(corpora === undefined ? {} : { corpora }),
    ...(globals.isFallbackOff || corpora !== undefined ? { isFallbackOff: true } : {}),
    ...(globals.isPlain
      ? { isPlain: true, isColored: () => mayColor(environment) && line.stdout.isTerminal() }
      : {}),
  };
  if (globals.isQuiet) return own;
  try {
    const log = makeLog({
      level: readLogLevel(environment),
      write: (text) => line.stderr.write(text),
      isColored: mayColor(environment) && line.stderr.isTTY === true,
    });
    const isShown = line.stderr.isTTY === true && environment["TERM"] !== "dumb";
    const write = (text: string): unknown => line.stderr.write(text);
    return {
      ...own,
      ...(log === undefined ? {} : { log }),
      ...(isShown
        ? {
            onProgress: makeProgressLine({ title: command, write, nowMs: steadyMs }),
          }
        : {}),
    };
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** Whether a terminal may be given colours. */
function mayColor(environment: CommandContext["environment"]): boolean {
  return (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}

interface AnswerShape {
  readonly command: string;
  readonly globals: GlobalValues;
  readonly hasBudget: boolean;
}

/** @returns False when nobody reads any more. */
async function printOutcome(
  outcome: Outcome,
  shape: AnswerShape,
  output: Output,
): Promise<boolean> {
  if (shape.globals.isPlain && "error" in outcome) {
    const { code, message, suggestion } = outcome.error;
    return await output.write(`${code}: ${message}\n${suggestion === "" ? "" : `${suggestion}\n`}`);
  }
  const { command, hasBudget } = shape;
  return await output.write(`${await envelopeLine({ command, outcome, hasBudget })}\n`);
}

async function reportUsage(
  error: UsageError,
  globals: GlobalValues,
  line: CommandLine,
): Promise<number> {
  const description = error.command === undefined ? undefined : describe(error.command);
  const help = helpOf(description);
  line.stderr.write(
    `codetool: ${error.message}\nUsage: ${renderUsage(description)}\nSee ${help}\n`,
  );
  if (!globals.isPlain) {
    const command = error.command ?? "codetool";
    const envelopeError = new UsageCommandError(error, `See \`${help}\``);
    const shape = { command, globals, hasBudget: false };
    await printOutcome({ error: envelopeError }, shape, line.stdout);
  }
  return 2;
}

function helpOf(description: CommandDescription | undefined): string {
  return description === undefined ? "codetool --help" : `codetool ${description.name} --help`;
}

/** A usage error as the envelope shows it: the message is whole already. */
class UsageCommandError extends CommandError {
  constructor(error: UsageError, remedy: string) {
    const row = { exitCode: 2, isRetryable: false, message: () => error.message, remedy };
    super({ code: error.code, row }, {}, { cause: error });
  }
}

async function print(output: Output, text: string): Promise<number> {
  await output.write(text);
  return 0;
}

function withNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Makes the envelope line of a defect in the command line itself. */
export async function defectLine(error: unknown): Promise<string> {
  const reason = error instanceof Error ? error.message : String(error);
  const outcome = { error: new errors.internal_error({ reason: reason.split("\n", 1)[0] ?? "" }) };
  return `${await envelopeLine({ command: "codetool", outcome, hasBudget: false })}\n`;
}
