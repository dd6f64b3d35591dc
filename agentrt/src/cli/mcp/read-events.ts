import type { JsonObject } from "../../core/index.ts";
import { ToolFault } from "./control-tool.ts";

const lengthMax = 4_194_304;

/**
 * Reads server-sent events for a while.
 *
 * @param url Of the stream.
 * @param options.waitMs How long, milliseconds.
 * @param options.countMax Most events; then it is left at once.
 * @param options.headers Sent along.
 * @param options.signal Ends it.
 * @returns Each with `id`, `type` and `data`.
 * @throws ToolFault when there is no stream.
 */
export async function readEvents(
  url: string,
  options: {
    readonly waitMs: number;
    readonly countMax: number;
    readonly headers: Headers;
    readonly signal: AbortSignal;
  },
): Promise<JsonObject[]> {
  const { waitMs, countMax, headers } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(waitMs)]);
  const events: JsonObject[] = [];
  let text = "";
  let length = 0;
  try {
    const response = await fetch(url, { headers, redirect: "error", signal });
    if (!response.ok || response.body === null)
      throw new ToolFault(`HTTP status ${response.status}`);
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      length += piece.length;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = readEvent(text.slice(0, end));
        text = text.slice(end + 2);
        if (event !== undefined) events.push(event);
        if (events.length >= countMax) return events;
      }
      if (length > lengthMax) return events;
    }
  } catch (error) {
    if (error instanceof ToolFault) throw error;
    // The time is over: that is how it ends.
    if (!signal.aborted) throw new ToolFault(`Cannot ask ${url}: is the topology running?`);
  }
  return events;
}

/** One event; undefined for what has no data, such as a heartbeat. */
function readEvent(lines: string): JsonObject | undefined {
  const fields = new Map<string, string>();
  for (const line of lines.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  const data = fields.get("data");
  if (data === undefined) return undefined;
  return {
    id: fields.get("id") ?? null,
    type: fields.get("event") ?? "message",
    data: JSON.parse(data) as JsonObject,
  };
}
