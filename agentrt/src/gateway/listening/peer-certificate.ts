import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/**
 * Reads the certificate that the client of a TLS connection showed.
 *
 * @param socket The connection; clear text is fine.
 * @returns The leaf as DER, when there is one and the configured authority signed it; otherwise `undefined`.
 */
export function peerCertificate(socket: Socket): Uint8Array | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  return socket.getPeerX509Certificate()?.raw;
}
