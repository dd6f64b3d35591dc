import type { Duplex } from "node:stream";
import { STATUS_CODES } from "../node-http.ts";
import type { GatewayResponse, StringMap } from "../request.ts";

/** Writes headers as the lines of a response. */
function headerLines(headers: StringMap | undefined): string {
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  return lines.join("");
}

/**
 * Answers an upgrade that is refused, and closes the connection.
 *
 * @param socket The connection, on which nothing was written for this request.
 * @param response What to say.
 * @param responseHeaders Sent with every response of the listener.
 */
export function refuseUpgrade(
  socket: Duplex,
  response: GatewayResponse,
  responseHeaders: StringMap | undefined,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(response.body ?? {});
  const headers = headerLines({ ...responseHeaders, ...response.headers });
  // A response that tells to upgrade names what to, and that header has to be listed here too.
  const connection = response.headers?.["upgrade"] === undefined ? "close" : "close, upgrade";
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\nConnection: ${connection}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${headers}\r\n${body}`,
    () => socket.destroy(),
  );
}
