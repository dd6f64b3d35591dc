import { type NatsClient, type ObjectPlace, placeText, readPlace } from "../../nats/index.ts";
import { messageBytesMax } from "../../wire/index.ts";

/** The header of a message whose bytes are in a bucket. */
export const objectHeader = "Agentrt-Object";

/** Makes the headers of a message that say where its bytes are. */
export function referenceHeaders(
  client: Pick<NatsClient, "headers">,
  place: ObjectPlace,
): ReturnType<NatsClient["headers"]> {
  const headers = client.headers();
  headers.set(objectHeader, placeText(place));
  return headers;
}

/** Reads where an object is; undefined for what is none, or larger than a message may be. */
export function readReference(text: string): ObjectPlace | undefined {
  return readPlace(text, messageBytesMax);
}
