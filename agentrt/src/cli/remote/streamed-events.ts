/** One server-sent event. */
export interface StreamedEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

const blockLengthMax = 1_048_576;

/**
 * Reads the server-sent events of a response, as they come.
 *
 * @param body Of the response.
 * @returns The events; comments are left out. It throws for one that is too long, or whose data is not JSON.
 */
export async function* streamedEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamedEvent, void, undefined> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > blockLengthMax) throw new Error("an event is too long");
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end === -1) break;
      const event = readBlock(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== undefined) yield event;
    }
  }
}

/** A block without an event, such as a comment, is nothing. */
function readBlock(block: string): StreamedEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }
  const event = fields.get("event");
  if (event === undefined) return undefined;
  return { id: fields.get("id"), event, data: JSON.parse(fields.get("data") ?? "null") as unknown };
}
