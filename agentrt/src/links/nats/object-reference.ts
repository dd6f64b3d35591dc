import type { NatsClient, ObjectPlace } from "../../nats/index.ts";
import { messageBytesMax } from "../../wire/index.ts";

/** The header of a message whose bytes are in a bucket. */
export const objectHeader = "Agentrt-Object";

const pattern = /^([\da-f]{32}) (\d{1,10}) (\d{1,16}(?:,\d{1,16}){0,999})$/;

/** Makes the headers of a message that say where its bytes are. */
export function referenceHeaders(
  client: Pick<NatsClient, "headers">,
  { id, sizeBytes, chunks }: ObjectPlace,
): ReturnType<NatsClient["headers"]> {
  const headers = client.headers();
  headers.set(objectHeader, `${id} ${sizeBytes} ${chunks.join(",")}`);
  return headers;
}

/** Reads where an object is; undefined for what is none, or larger than a message may be. */
export function readReference(text: string): ObjectPlace | undefined {
  const [, id, size, chunks] = pattern.exec(text) ?? [];
  const sizeBytes = Number(size);
  if (id === undefined || chunks === undefined || sizeBytes > messageBytesMax) return undefined;
  return { id, sizeBytes, chunks: chunks.split(",").map(Number) };
}
