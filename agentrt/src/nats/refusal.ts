import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect as connectSocket, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { reasonOf, type System } from "../core/index.ts";
import type { NatsSettings, NatsTls } from "./settings.ts";

/** How long a server may take for its part, milliseconds. */
const answerTimeoutMs = 2000;

/** What the codes of TLS mean for who wrote the topology. */
const tlsReasons: { readonly [code: string]: string } = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not signed by the authority in `ca`",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not signed by the authority in `ca`",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not signed by the authority in `ca`",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not signed by the authority in `ca`",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: "`cert` and `key` do not belong together",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
};

/** TLS alerts by which servers say that they do not take a client's certificate. */
const alertPattern =
  /ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_REQUIRED|UNKNOWN_CA|CERTIFICATE_EXPIRED|CERTIFICATE_UNKNOWN|DECRYPT_ERROR)$/;

/** Why a server was not connected to. */
export interface ConnectFailure {
  readonly reason: string;
  /** True when another try will fail as well: what is wrong is a key, a certificate or a password. */
  readonly isFinal: boolean;
}

/**
 * Says why no server was connected to, in words that name what to correct.
 *
 * @param error What the client library threw.
 * @param settings What was tried.
 */
export async function connectFailureOf(
  error: unknown,
  settings: NatsSettings,
  system: System,
): Promise<ConnectFailure> {
  const { name } = error as Error;
  const known = tlsReasons[codeOf(error)] ?? tlsReasons[codeOf((error as Error).cause)];
  if (known !== undefined) return { reason: known, isFinal: true };
  const text = reasonOf(error);
  if (name === "AuthorizationError")
    return { reason: "it refuses the nkey, the user or the password", isFinal: true };
  if (text.startsWith("nkeys:"))
    return { reason: "`nkey_seed` holds no seed of a user's nkey", isFinal: true };
  if (text.includes("does not support 'tls'"))
    return { reason: "TLS is wanted, and it has none", isFinal: true };
  if (name !== "TimeoutError") return { reason: text, isFinal: false };
  // A server that refuses a client's certificate closes the connection, and the library waits for it all the same.
  const refusal = await refusalOf(settings, system);
  return refusal === undefined
    ? { reason: "it did not answer in time", isFinal: false }
    : { reason: refusal, isFinal: true };
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : "";
}

/** Connects once more without the library, and listens to what the first server says to the certificate. */
async function refusalOf(settings: NatsSettings, system: System): Promise<string | undefined> {
  const url = URL.parse(settings.servers[0]?.replace(/^\w+:/, "http:") ?? "");
  if (url === null) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = connectSocket({ host, port: Number(url.port === "" ? 4222 : url.port) });
  const code = Promise.withResolvers<string>();
  const timer = system.setTimer(answerTimeoutMs, () => code.resolve(""));
  const fail = (error: unknown): void => code.resolve(codeOf(error));
  socket.once("error", fail);
  socket.once("data", () => {
    const secure = connectTls({ socket, servername: serverNameOf(host), ...filesOf(settings.tls) });
    secure.on("error", fail);
    secure.on("close", () => code.resolve(""));
    secure.resume();
  });
  const found = await code.promise;
  system.clearTimer(timer);
  destroy(socket);
  if (!alertPattern.test(found)) return tlsReasons[found];
  const { cert } = settings.tls ?? {};
  if (cert === undefined) return "it wants a client certificate: give `cert` and `key`";
  const endMs = new X509Certificate(readFileSync(cert)).validToDate.getTime();
  return endMs < system.nowMs()
    ? "the certificate in `cert` has expired"
    : "it does not take the certificate in `cert`";
}

function destroy(socket: Socket): void {
  socket.on("error", () => undefined);
  socket.destroy();
}

/** TLS has no server name for an address. */
function serverNameOf(host: string): string {
  return /^[\d.]+$|:/.test(host) ? "" : host;
}

function filesOf(tls: NatsTls = {}): ConnectionOptions {
  const read = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  const [ca, cert, key] = [read(tls.ca), read(tls.cert), read(tls.key)];
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    // The alert about our certificate is asked for, not what we think of the server's.
    rejectUnauthorized: false,
  };
}
