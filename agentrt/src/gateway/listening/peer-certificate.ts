import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/**
 * Reads the certificate that the client of a TLS connection showed.
 *
 * @param socket The connection; clear text is fine.
 * @returns The leaf as DER, when there is one, the configured authority signed it, and the client is still there; otherwise
 *   `undefined`.
 */
export function peerCertificate(socket: Socket): Uint8Array | undefined {
  try {
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    return socket.getPeerX509Certificate()?.raw;
  } catch (error) {
    // The client of an HTTP/2 connection has gone: nobody is there to have a certificate, and nobody reads the answer.
    if ((error as NodeJS.ErrnoException).code === "ERR_HTTP2_SOCKET_UNBOUND") return undefined;
    throw error;
  }
}
