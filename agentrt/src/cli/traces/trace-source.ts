import { statSync } from "node:fs";
import { reasonOf } from "../../core/index.ts";
import type { CommandInput, CommandIo, FlagSpec } from "../command.ts";
import { controlFlags } from "../control-flags.ts";
import { cliErrors } from "../errors.ts";
import { objectOf, objectsOf, openControl, textIn, type WireObject } from "../watching/index.ts";

/** The flags of every command about traces. */
export const traceFlags: readonly FlagSpec[] = [
  {
    name: "dir",
    value: "path",
    summary: "read this folder of spans (db_dir of the sqlite exporter), and ask no server",
  },
  ...controlFlags,
];

/** Spans of one trace that are shown at most, as by the route. */
const spanCountMax = 1000;

/** Where traces are read. */
export interface TraceSource {
  /** @returns The body of `GET /traces`. */
  list(query: { readonly [name: string]: string }): Promise<WireObject>;
  /** @returns The body of `GET /traces/{id}`. */
  find(id: string): Promise<WireObject>;
}

/**
 * Opens what a command line names.
 *
 * @param input With the flags {@link traceFlags}.
 * @throws What `openControl` throws; AGENTRT_CLI_SPANS_UNREADABLE.
 */
export async function openTraces(input: CommandInput, io: CommandIo): Promise<TraceSource> {
  const directory = input.text("dir");
  if (directory !== undefined) return await folderSource(directory);
  const reader = await openControl(input, io);
  const ask = async (route: string): Promise<WireObject> => {
    try {
      return objectOf(await reader.ask(route));
    } catch (error) {
      if (error instanceof cliErrors.CONTROL_UNREACHABLE)
        io.tell("spans that a sqlite exporter has kept are read with --dir ./telemetry, as well");
      throw error;
    }
  };
  return {
    list: async (query) => await ask(`/traces?${new URLSearchParams(query).toString()}`),
    find: async (id) => await ask(`/traces/${encodeURIComponent(id.toWellFormed())}`),
  };
}

/** The routes themselves, over a folder in place of a running topology. */
async function folderSource(directory: string): Promise<TraceSource> {
  const [{ readSpans }, { traceResponse, tracesResponse }] = await Promise.all([
    import("../../telemetry/index.ts"),
    import("../../control/index.ts"),
  ]);
  const refused = (reason: string): Error => new cliErrors.SPANS_UNREADABLE({ directory, reason });
  try {
    if (!statSync(directory).isDirectory()) throw refused("it is not a directory");
  } catch (error) {
    throw error instanceof cliErrors.SPANS_UNREADABLE ? error : refused(reasonOf(error));
  }
  const view: Parameters<typeof traceResponse>[0] & Parameters<typeof tracesResponse>[0] = {
    traces: async (query) => readSpans(directory, (reader) => reader.traces(query)),
    findTrace: async (id) =>
      readSpans(directory, (reader) => ({ spans: reader.spansOf(id, spanCountMax) })),
  };
  const answered = ({ status, body }: Awaited<ReturnType<typeof traceResponse>>): WireObject => {
    if (status >= 400) throw refused(textIn(objectOf(body)["error"]));
    return objectOf(body);
  };
  const request = { queryParams: {}, pathParams: {}, body: {}, auth: undefined, requestId: "" };
  return {
    list: async (queryParams) => answered(await tracesResponse(view, { ...request, queryParams })),
    find: async (id) => answered(await traceResponse(view, { ...request, pathParams: { id } })),
  };
}

/**
 * Says what of a body could not be read.
 *
 * @returns The exit code: 1 where something could not.
 */
export function tellUnread({ unread }: WireObject, io: CommandIo): number {
  const parts = objectsOf(unread);
  for (const { source, reason } of parts)
    io.tell(`some may be missing: ${textIn(source)} cannot be read: ${textIn(reason)}`);
  return parts.length === 0 ? 0 : 1;
}
