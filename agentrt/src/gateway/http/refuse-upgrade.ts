import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { GatewayResponse } from "../request.ts";

/**
 * Answers an upgrade that is refused, and closes the connection.
 *
 * @param socket The connection, on which nothing was written for this request.
 * @param response What to say.
 */
export function refuseUpgrade(socket: Duplex, response: GatewayResponse): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(response.body ?? {});
  const headers = Object.entries(response.headers ?? {}).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  // A response that tells to upgrade names what to, and that header has to be listed here too.
  const connection = response.headers?.["upgrade"] === undefined ? "close" : "close, upgrade";
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\nConnection: ${connection}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${headers.join("")}\r\n${body}`,
    () => socket.destroy(),
  );
}
