import { begin, failing, urlOf } from "./api.ts";

/** An event of a stream. */
export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly [name: string]: unknown };
}

const pauseMs = 1000;

/**
 * Follows a stream of server-sent events until it is ended, and goes on where it was cut off. The browser's own
 * `EventSource` says neither that a session is over nor what types of events there are.
 *
 * @param path With what to begin with: `/events?recent=200`.
 */
export async function followEvents(
  path: string,
  of: { readonly signal: AbortSignal; readonly onEvent: (event: StreamEvent) => void },
): Promise<void> {
  let lastId = "";
  while (!of.signal.aborted) {
    const onEvent = (event: StreamEvent): void => {
      if (event.id !== "") lastId = event.id;
      of.onEvent(event);
    };
    const again = lastId === "" ? path : `/events?last_event_id=${encodeURIComponent(lastId)}`;
    const fault = await readStream(again, { ...of, onEvent });
    if (of.signal.aborted) return;
    noteFault(fault);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

function noteFault(fault: string | undefined): void {
  const next = new Map(failing.value);
  if (fault === undefined) next.delete("/events");
  else next.set("/events", fault);
  failing.set(next);
}

/** @returns Why it ended; undefined for an end that is none of the server's refusals. */
async function readStream(
  path: string,
  { signal, onEvent }: { readonly signal: AbortSignal; onEvent: (event: StreamEvent) => void },
): Promise<string | undefined> {
  try {
    const response = await fetch(urlOf(path), { signal, credentials: "same-origin" });
    if (response.status === 401) {
      await begin("The session is over. Sign in again.");
      return undefined;
    }
    if (!response.ok || response.body === null) return `answers ${response.status}`;
    noteFault(undefined);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const parts = `${text}${piece.value}`.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const event = readEvent(part);
        if (event !== undefined) onEvent(event);
      }
    }
    return undefined;
  } catch {
    return signal.aborted ? undefined : "no answer";
  }
}

function readEvent(text: string): StreamEvent | undefined {
  let id = "";
  let type = "";
  let data = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("id: ")) id = line.slice(4);
    else if (line.startsWith("event: ")) type = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
  }
  if (type === "" || data === "") return undefined;
  return { id, type, data: JSON.parse(data) as StreamEvent["data"] };
}
