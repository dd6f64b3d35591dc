/** Most bytes of one answer. */
export const answerSizeBytesMax = 33_554_432;

/** An answer that is longer than any that could be meant. */
export class AnswerTooLongError extends Error {
  constructor() {
    super(`it is longer than ${answerSizeBytesMax} bytes`);
  }
}

/**
 * Node's `fetch`, whose answers end with an error when they grow beyond `answerSizeBytesMax`.
 *
 * @param input What to fetch.
 * @param init How.
 * @returns The answer.
 */
export async function limitedFetch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let sizeBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      sizeBytes += part.byteLength;
      if (sizeBytes > answerSizeBytesMax) controller.error(new AnswerTooLongError());
      else controller.enqueue(part);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
