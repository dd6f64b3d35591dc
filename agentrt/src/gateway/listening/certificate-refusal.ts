import type { Socket } from "node:net";
import type { Server, TLSSocket } from "node:tls";
import type { AuditRefusal } from "../../core/index.ts";

/** Hears of each client that is refused. */
export type OnRefusal = (refusal: Omit<AuditRefusal, "gateway">) => void;

/** Codes of a handshake that fails for the client's certificate. */
const certificateFault = /CERT|VERIFY|SELF_SIGNED|SIGNATURE|ISSUER/;

/**
 * Watches a server for handshakes that fail for the client's certificate.
 *
 * @param server Asks for certificates.
 * @param onRefused Hears the client's address, and a code of OpenSSL or Node that says what was wrong.
 */
export function watchCertificates(
  server: Pick<Server, "on">,
  onRefused: (refused: { readonly client: string; readonly reason: string }) => void,
): void {
  // Node closes a client whose certificate it has verified in vain, and tells of it when the connection is gone. An address
  // that was asked for once is remembered: by the connection below, which only this member leads to.
  server.on("connection", (socket: Socket) => void socket.remoteAddress);
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket) => {
    // Null as long as nothing was verified, whatever the types say.
    const verified: unknown = socket.authorizationError;
    const reason = typeof verified === "string" ? verified : (error.code ?? "");
    if (!certificateFault.test(reason)) return;
    const { _parent: below } = socket as TLSSocket & { readonly _parent?: Socket | null };
    onRefused({ client: socket.remoteAddress ?? below?.remoteAddress ?? "", reason });
  });
}

/**
 * Describes a client whose certificate is refused: it had no request that could be answered.
 *
 * @param listener What it has connected to.
 * @param refused Its address, and what was wrong.
 */
export function certificateRefusal(
  listener: "http" | "http3" | "grpc",
  { client, reason }: { readonly client: string; readonly reason: string },
): Omit<AuditRefusal, "gateway"> {
  return { by: "client_cert", status: 0, client, details: { listener, reason } };
}
