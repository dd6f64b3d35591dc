import { errorResponse, type GatewayResponse } from "../request.ts";
import type { Exchange, OutgoingHeaders } from "./exchange.ts";
import type { ProtocolServerOptions } from "./protocol-server.ts";

/** What a request gets that comes while the gateway stops. */
export const stoppingResponse: GatewayResponse = errorResponse(503, "gateway is stopping", {
  "retry-after": "1",
});

/** What the access log says of a client that left before its answer; no response has this status. */
const leftOutcome = { status: 499, sizeBytes: 0 };
const internalErrorText = JSON.stringify({ error: "internal error" });

type WriteOptions = Pick<
  ProtocolServerOptions,
  "node" | "log" | "system" | "limits" | "responseHeaders" | "edge"
>;

/**
 * Sends the answer of the gateway. One that cannot be sent becomes a plain 500, and a line in the log.
 *
 * @param exchange Where the request came from.
 * @param answer What to send.
 * @param options The log, the clock and the limits of the listener.
 */
export function writeAnswer(
  exchange: Exchange,
  answer: GatewayResponse,
  options: WriteOptions,
): void {
  const { edge } = options;
  const record = (exchange.record ??= edge.open(exchange));
  exchange.ownHeaders = edge.headersOf(record);
  if (answer.stream !== undefined) {
    void pumpStream(exchange, answer.stream, { ...options, answer });
    return;
  }
  const { isOver, method } = exchange;
  try {
    const content = contentOf(answer);
    exchange.respond(answer.status, content, allHeaders(answer, options));
    const sizeBytes = method === "HEAD" || !edge.isLogging ? 0 : Buffer.byteLength(content);
    edge.close(record, isOver ? leftOutcome : { status: answer.status, sizeBytes });
  } catch (error) {
    fail(exchange, error, options);
  }
}

function contentOf({ bytes, text, body }: GatewayResponse): string | Uint8Array {
  return bytes ?? text ?? (body === undefined ? "" : JSON.stringify(body));
}

function fail(exchange: Exchange, error: unknown, options: WriteOptions): void {
  const { node, log } = options;
  log.error("A response could not be written", { node, error, client: exchange.clientIp });
  exchange.respond(500, internalErrorText, options.responseHeaders);
  const { record } = exchange;
  if (record === undefined) return;
  options.edge.close(record, { status: 500, sizeBytes: Buffer.byteLength(internalErrorText) });
}

function allHeaders(
  { headers, setCookies }: GatewayResponse,
  { responseHeaders }: WriteOptions,
): OutgoingHeaders | undefined {
  if (setCookies !== undefined) return { ...responseHeaders, ...headers, "set-cookie": setCookies };
  if (responseHeaders === undefined) return headers;
  return headers === undefined ? responseHeaders : { ...responseHeaders, ...headers };
}

/** Sends the pieces as they come; the next is asked for when the client has room for it. */
async function pumpStream(
  exchange: Exchange,
  pieces: AsyncIterable<string>,
  options: WriteOptions & { readonly answer: GatewayResponse },
): Promise<void> {
  const { node, log, answer } = options;
  const iterator = pieces[Symbol.asyncIterator]();
  const leave = async (): Promise<void> => {
    try {
      await iterator.return?.();
    } catch (error) {
      log.error("A stream could not be left", { node, error, client: exchange.clientIp });
    }
  };
  const onGone = (): void => void leave();
  exchange.signal.addEventListener("abort", onGone, { once: true });
  let isWhole = exchange.method === "HEAD";
  let sizeBytes = 0;
  try {
    exchange.begin(answer.status, allHeaders(answer, options) ?? {});
    while (exchange.method !== "HEAD" && !exchange.isOver) {
      const piece = await iterator.next();
      isWhole = piece.done === true;
      if (piece.done === true) break;
      if (options.edge.isLogging) sizeBytes += Buffer.byteLength(piece.value);
      if (!exchange.write(piece.value) && !(await hasRoom(exchange, options))) break;
    }
    if (exchange.method === "HEAD" || exchange.isOver) await leave();
    exchange.end();
  } catch (error) {
    await leave();
    if (exchange.isBegun) {
      log.error("A stream broke off", { node, error, client: exchange.clientIp });
      exchange.breakOff();
    } else fail(exchange, error, options);
  } finally {
    exchange.signal.removeEventListener("abort", onGone);
    const { record, isBegun } = exchange;
    const outcome = isBegun ? { status: answer.status, sizeBytes, isCut: !isWhole } : leftOutcome;
    if (record !== undefined) options.edge.close(record, outcome);
  }
}

/** Waits until the client has taken what was sent; one that takes nothing for the stall time is cut off. */
function hasRoom(exchange: Exchange, { system, limits }: WriteOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = system.setTimer(limits.stallTimeoutMs, () => {
      exchange.breakOff();
      resolve(false);
    });
    exchange.onRoom(() => {
      system.clearTimer(timer);
      resolve(!exchange.isOver);
    });
  });
}
