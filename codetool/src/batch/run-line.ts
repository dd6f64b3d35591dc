import {
  envelopeLine,
  findCommand,
  executeCommand,
  unknownCommand,
  workingDirectoryAt,
  commandTable,
  type CommandContext,
} from "../commands/index.ts";
import { CommandError, errors, type Outcome } from "../envelope/index.ts";
import { batchDescription } from "./description.ts";
import type { BatchLine } from "./split-lines.ts";

/** A line of the input after it was parsed and checked, before it is run. */
interface BatchRequest {
  readonly id?: string | number;
  readonly command: string;
  /** Where the paths of the line begin, if it says so: as written. */
  readonly workingDirectory?: string;
  readonly parameters: { readonly [name: string]: unknown };
}

/** How much is echoed of the name of a command that does not exist. */
const commandCharactersMax = 100;

/** Options of one line. */
export interface RunLineOptions {
  readonly context: CommandContext;
  readonly lineSizeBytesMax: number;
  /** Budget of lines that give none. */
  readonly budgetTokens?: number;
}

/**
 * Runs one line of a batch to its envelope, without the newline. It never throws: a line that is not a request gets an
 * error envelope like any other failure.
 */
export async function runLine(line: BatchLine, options: RunLineOptions): Promise<string> {
  let request: BatchRequest = { command: "batch", parameters: {} };
  let outcome: Outcome;
  try {
    request = { ...request, ...parseRequest(line, options) };
    outcome = await runRequest(request, options.context);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    outcome = { error };
    const id = idOf(line);
    if (id !== undefined) request = { ...request, id };
  }
  return await envelopeLine({
    command: request.command,
    outcome,
    hasBudget: typeof request.parameters["budget"] === "number",
    ...(request.id === undefined ? {} : { id: request.id }),
  });
}

/** Tells whether a line asks for a command that may change files. */
export function isWritingLine(line: BatchLine): boolean {
  const command = "text" in line ? parseObject(line.text)?.["cmd"] : undefined;
  return typeof command === "string" && findCommand(command)?.isWriting === true;
}

async function runRequest(request: BatchRequest, context: CommandContext): Promise<Outcome> {
  const names = commandTable.filter((row) => row.isBatchable).map((row) => row.name);
  if (request.command === batchDescription.name)
    return {
      error: new errors.invalid_command({
        command: request.command,
        reason: "a batch cannot be a line of a batch",
      }),
    };
  const definition = findCommand(request.command);
  if (definition === undefined || !definition.isBatchable)
    return { error: unknownCommand(request.command, names) };
  const { workingDirectory: cwd, parameters } = request;
  if (cwd === undefined) return await executeCommand(definition, parameters, context);
  const workingDirectory = workingDirectoryAt(cwd, context);
  return await executeCommand(definition, parameters, { ...context, workingDirectory });
}

function parseRequest(line: BatchLine, options: RunLineOptions): BatchRequest {
  if ("isTooLong" in line)
    throw new errors.invalid_argument({
      argument: "line",
      reason: `it is longer than ${options.lineSizeBytesMax} bytes`,
    });
  const value = parseObject(line.text);
  if (value === undefined)
    throw new errors.invalid_argument({
      argument: line.text.slice(0, 60),
      reason: 'wanted one JSON object a line, for example {"cmd":"read","file":"a.ts"}',
    });
  const { cmd, id, cwd, ...parameters } = value;
  if (typeof cmd !== "string")
    throw new errors.invalid_argument({
      argument: "cmd",
      reason: cmd === undefined ? "it is missing" : "wanted the name of a command",
    });
  if (id !== undefined && id !== null && !isId(id))
    throw new errors.invalid_argument({ argument: "id", reason: "wanted a string" });
  if (cwd !== undefined && cwd !== null && (typeof cwd !== "string" || cwd === ""))
    throw new errors.invalid_argument({ argument: "cwd", reason: "wanted the path of a folder" });
  const budget = parameters["budget"] ?? options.budgetTokens;
  return {
    command: cmd.slice(0, commandCharactersMax),
    ...(typeof cwd === "string" ? { workingDirectory: cwd } : {}),
    parameters: budget === undefined ? parameters : { ...parameters, budget },
    ...(id === undefined || id === null ? {} : { id }),
  };
}

/** The id of a line that is a JSON object with a usable one, whatever else is wrong with it. */
function idOf(line: BatchLine): string | number | undefined {
  const id = "text" in line ? parseObject(line.text)?.["id"] : undefined;
  return isId(id) ? id : undefined;
}

/** A number too large for JSON's readers is not an id: it would come back as `null`. */
function isId(id: unknown): id is string | number {
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id));
}

function parseObject(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as { readonly [key: string]: unknown }) : undefined;
  } catch {
    // It is not JSON: the caller reports that.
    return undefined;
  }
}
