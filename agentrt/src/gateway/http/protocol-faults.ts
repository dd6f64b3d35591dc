import type { Duplex } from "node:stream";
import { STATUS_CODES } from "../node-http.ts";
import type { StringMap } from "../request.ts";

/** The response to a fault that Node's parser reports. */
interface ProtocolFault {
  readonly status: number;
  readonly text: string;
}

const faultByCode: { readonly [code: string]: ProtocolFault } = {
  HPE_HEADER_OVERFLOW: { status: 431, text: "request headers are too large" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, text: "chunk extensions are too large" },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: "request did not arrive in time" },
};
const malformed: ProtocolFault = { status: 400, text: "malformed HTTP request" };

/**
 * Answers a request that could not be read as HTTP, and closes the connection: after such bytes nobody can say where
 * the next request begins.
 *
 * @param socket The connection; nothing of a response may have been written for this request.
 * @param fault.code The parser's error code.
 * @param fault.headers Of the response.
 * @returns Its status; `undefined` where the client has gone.
 */
export function refuseProtocolFault(
  socket: Duplex,
  {
    code,
    headers = {},
  }: { readonly code: string | undefined; readonly headers?: StringMap | undefined },
): number | undefined {
  if (!socket.writable || code === "ECONNRESET" || code === "EPIPE") {
    socket.destroy();
    return undefined;
  }
  const { status, text } = faultByCode[code ?? ""] ?? malformed;
  const body = JSON.stringify({ error: text });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${lines.join("")}\r\n${body}`,
    () => socket.destroy(),
  );
  return status;
}
