import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { ListResourcesResult, ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import { type CommandContext, executeCommand, findCommand } from "../commands/index.ts";
import { CommandError, type Outcome } from "../envelope/index.ts";
import { pathOfFileUri } from "./file-uri.ts";
import type { PathGuard } from "./path-guard.ts";
import { RequestRefused } from "./request-refused.ts";

/** Files on one page of the list. */
const pageLength = 200;
/** Tokens of a file that is read as a resource. */
const fileTokensMax = 20_000;

const indexUri = "codetool://index";
const symbolPrefix = "codetool://symbol/";
const json = "application/json";

/** The templates, as `resources/templates/list` says them. */
export const resourceTemplates = [
  {
    uriTemplate: "file:///{+path}",
    name: "file",
    title: "A file of the project",
    description:
      "text of a file inside of the client's roots; of one above 20 000 tokens the beginning, with its lines in _meta",
  },
  {
    uriTemplate: `${symbolPrefix}{+name}`,
    name: "symbol",
    title: "A symbol of the project",
    description: "what `codetool explain` says of a function, type or member",
    mimeType: json,
  },
] as const;

/** Whose resources are asked for. */
interface ResourceContext {
  readonly context: CommandContext;
  readonly guard: PathGuard;
}

/**
 * Lists resources: what the index holds, then the files of the first root, a page at a time.
 *
 * @param options.cursor As the page before gave it.
 * @throws RequestRefused for a cursor that no page gave.
 */
export async function resourcePage(
  guard: PathGuard,
  { context, cursor }: { readonly context: CommandContext; readonly cursor: string | undefined },
): Promise<ListResourcesResult> {
  const begin = cursor === undefined ? 0 : Number(/^after:(\d{1,9})$/.exec(cursor)?.[1] ?? "NaN");
  if (Number.isNaN(begin))
    throw new RequestRefused(`"${String(cursor)}" is not a cursor of this list`);
  const own = { context, guard };
  const found = (await answerOf("find", { path: ".", flat: true }, own)) as {
    readonly root: string;
    readonly flat: readonly { readonly path: string }[];
  };
  const root = guard.workingDirectory ?? context.workingDirectory;
  const page = found.flat.slice(begin, begin + pageLength);
  const files = page.map(({ path }) => ({
    uri: pathToFileURL(`${root}${sep}${path}`).href,
    name: path,
  }));
  const index = {
    uri: indexUri,
    name: "index",
    title: "What the index holds",
    description: "files, chunks and symbols of the index of this project",
    mimeType: json,
  };
  const next = begin + pageLength;
  return {
    resources: begin === 0 ? [index, ...files] : files,
    ...(next < found.flat.length ? { nextCursor: `after:${next}` } : {}),
  };
}

/**
 * Reads a resource.
 *
 * @throws RequestRefused for what is not there, or may not be read.
 */
export async function readResource(uri: string, own: ResourceContext): Promise<ReadResourceResult> {
  if (uri === indexUri) return asJson(uri, await indexStatus(own));
  if (uri.startsWith(symbolPrefix)) {
    const symbol = symbolOf(uri);
    return asJson(uri, await answerOf("explain", { symbol, path: "." }, own));
  }
  const path = pathOfFileUri(uri);
  if (path === undefined) throw new RequestRefused(`there is no resource "${uri}"`);
  const { content, truncated } = (await answerOf(
    "read",
    { file: path, budget: fileTokensMax },
    own,
  )) as {
    readonly content: { readonly text: string; readonly range: object };
    readonly truncated?: boolean;
  };
  const { text, range } = content;
  // What is left out is said: the tool "read" has the rest.
  const cut = truncated === true ? { _meta: { truncated, range } } : {};
  return { contents: [{ uri, mimeType: "text/plain", text, ...cut }] };
}

/** @throws RequestRefused where a percent sign begins no byte. */
function symbolOf(uri: string): string {
  try {
    return decodeURIComponent(uri.slice(symbolPrefix.length));
  } catch {
    throw new RequestRefused(`there is no resource "${uri}"`);
  }
}

function asJson(uri: string, data: object): ReadResourceResult {
  return { contents: [{ uri, mimeType: json, text: JSON.stringify(data) }] };
}

/** What the index holds; where there is none, that. */
async function indexStatus(own: ResourceContext): Promise<object> {
  const outcome = await outcomeOf("index", { path: ".", stats: true }, own);
  if (!("error" in outcome)) return outcome.data;
  return { index_exists: false, message: outcome.error.message };
}

type Input = { readonly [name: string]: unknown };

/** The payload of a command, inside of the client's roots. */
async function answerOf(command: string, input: Input, own: ResourceContext): Promise<object> {
  const outcome = await outcomeOf(command, input, own);
  if (!("error" in outcome)) return outcome.data;
  throw new RequestRefused(outcome.error.message);
}

async function outcomeOf(
  command: string,
  input: Input,
  { context, guard }: ResourceContext,
): Promise<Outcome> {
  const definition = findCommand(command);
  if (definition === undefined) throw new Error(`there is no command "${command}"`);
  const workingDirectory = guard.workingDirectory ?? context.workingDirectory;
  try {
    for (const path of [input["path"], input["file"]])
      if (typeof path === "string") guard.check(path);
    return await executeCommand(definition, input, {
      ...context,
      workingDirectory,
      mayShow: (absolutePath) => guard.contains(absolutePath),
      isFallbackOff: true,
    });
  } catch (error) {
    if (error instanceof CommandError) return { error };
    throw error;
  }
}
