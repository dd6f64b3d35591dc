import type { GatewayRequest, GatewayResponse } from "../request.ts";
import { sourceOf } from "./chunk-source.ts";

/** Turns chunks into the response that a listener sends. */
export type SendChunks = (
  request: GatewayRequest,
  response: GatewayResponse,
  /** Called when nobody wants more of them. */
  leave: () => void,
) => GatewayResponse;

/**
 * Makes what a listener sends of what the middleware left of a response: chunks become events, and the agent behind them
 * hears when nobody wants more.
 *
 * @param request Whose response it is.
 * @param response As the outermost middleware gave it.
 * @param sendChunks Makes events of chunks.
 */
export function sendResponse(
  request: GatewayRequest,
  response: GatewayResponse,
  sendChunks: SendChunks | undefined,
): GatewayResponse {
  const source = sourceOf(response);
  const { chunks, stream } = response;
  if (source === undefined && chunks === undefined) return response;
  const leave = (): void => source?.end();
  if (chunks !== undefined) {
    if (sendChunks === undefined) throw new TypeError("a response has chunks, which nothing sends");
    source?.handOver();
    return sendChunks(source?.request ?? request, response, leave);
  }
  if (stream === undefined) leave();
  else source?.handOver();
  return stream === undefined ? response : { ...response, stream: endingWith(stream, leave) };
}

/** The same pieces; `leave` is called when they are left, or over. */
function endingWith(pieces: AsyncIterable<string>, leave: () => void): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = pieces[Symbol.asyncIterator]();
      return {
        next: () => iterator.next(),
        return: async () => {
          leave();
          return (await iterator.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
