import type { JsonObject, JsonValue } from "../../core/index.ts";
import { streamedEvents } from "../remote/index.ts";
import { ToolFault } from "./control-tool.ts";

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
  try {
    const response = await fetch(url, { headers, redirect: "error", signal });
    if (!response.ok || response.body === null)
      throw new ToolFault(`HTTP status ${response.status}`);
    for await (const { id = null, event: type, data } of streamedEvents(response.body)) {
      events.push({ id, type, data: data as JsonValue });
      if (events.length >= countMax) return events;
    }
  } catch (error) {
    if (error instanceof ToolFault) throw error;
    // The time is over: that is how it ends.
    if (!signal.aborted) throw new ToolFault(`Cannot ask ${url}: is the topology running?`);
  }
  return events;
}
