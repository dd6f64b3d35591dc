import { constants } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { ClientCertMode } from "../../gateway-settings/index.ts";
import { gatewayErrors } from "../errors.ts";

/** Paths of PEM files. */
export interface TlsFiles {
  /** The server's certificate, followed by its chain. */
  readonly tlsCert: string;
  /** The private key of that certificate. */
  readonly tlsKey: string;
  /**
   * Authority that signs clients' certificates; needed when clients are asked for one. Where the file holds a
   * revocation list too, certificates on it are refused, and all are once the list is out of date.
   */
  readonly tlsCaCert?: string | undefined;
  /** Default `none`. */
  readonly clientCertMode?: ClientCertMode | undefined;
}

/** What a TLS listener is made from. */
export interface TlsMaterial {
  readonly context: SecureContextOptions;
  readonly clientCertMode: ClientCertMode;
}

/**
 * Reads the files of a TLS listener and tries them out, so that a gateway with a bad one does not start.
 *
 * @param node Name of the gateway, for the error.
 * @param files Their paths.
 * @returns The material.
 * @throws AGENTRT_GATEWAY_TLS_INVALID: names the setting, the file and what is wrong with it.
 */
export function readTlsMaterial(node: string, files: TlsFiles): TlsMaterial {
  const refuse = (key: string, path: string, reason: string, cause?: unknown): Error =>
    new gatewayErrors.TLS_INVALID({ node, key, path, reason }, { cause });
  const read = (key: string, path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      throw refuse(key, path, fileReasons[code ?? ""] ?? `it cannot be read (${code})`, cause);
    }
  };
  const attempt = (key: string, path: string, context: SecureContextOptions, reason: string) => {
    try {
      createSecureContext(context);
    } catch (cause) {
      throw refuse(key, path, reason, cause);
    }
  };
  const { tlsCert, tlsKey, tlsCaCert, clientCertMode = "none" } = files;
  const cert = read("tls_cert", tlsCert);
  attempt("tls_cert", tlsCert, { cert }, "it holds no certificate in PEM form");
  const key = read("tls_key", tlsKey);
  attempt("tls_key", tlsKey, { key }, "it holds no private key in PEM form without a password");
  attempt("tls_key", tlsKey, { cert, key }, `it is not the key of tls_cert "${tlsCert}"`);
  const own: SecureContextOptions = { cert, key, ...policy };
  if (tlsCaCert === undefined) return { context: own, clientCertMode };
  const ca = read("tls_ca_cert", tlsCaCert);
  if (!ca.includes("-----BEGIN CERTIFICATE-----")) {
    throw refuse("tls_ca_cert", tlsCaCert, "it holds no certificate in PEM form");
  }
  attempt("tls_ca_cert", tlsCaCert, { ca }, "it holds no certificate in PEM form");
  const revoked = ca.toString("latin1").match(revocationListPattern) ?? [];
  if (revoked.length === 0) return { context: { ...own, ca }, clientCertMode };
  attempt("tls_ca_cert", tlsCaCert, { crl: revoked }, "its revocation list cannot be read");
  return { context: { ...own, ca, crl: revoked }, clientCertMode };
}

/**
 * What is negotiated: forward secrecy and ciphers that authenticate what they encrypt, as HTTP/2 asks for in TLS 1.2
 * (RFC 9113 section 9.2.2). A client that negotiates again makes the server work for nothing.
 */
const policy: SecureContextOptions = {
  minVersion: "TLSv1.2",
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
  ].join(":"),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** Beside the authority may be the list of certificates it has revoked. */
const revocationListPattern = /-----BEGIN X509 CRL-----[^-]+-----END X509 CRL-----/g;

const fileReasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};
