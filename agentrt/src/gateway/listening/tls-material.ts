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

/** The certificates and settings of a TLS listener. */
export interface TlsMaterial {
  readonly context: SecureContextOptions;
  readonly clientCertMode: ClientCertMode;
}

/** A setting, the file that it names, and what is wrong with it. */
interface RefusedFile {
  readonly key: string;
  readonly path: string;
  readonly reason: string;
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
  const refuse = (refused: RefusedFile, cause?: unknown): Error =>
    new gatewayErrors.TLS_INVALID({ node, ...refused }, { cause });
  const read = (key: string, path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      const reason = fileReasons[code ?? ""] ?? `it cannot be read (${code})`;
      throw refuse({ key, path, reason }, cause);
    }
  };
  const attempt = (context: SecureContextOptions, refused: RefusedFile): void => {
    try {
      createSecureContext(context);
    } catch (cause) {
      throw refuse(refused, cause);
    }
  };
  const { tlsCert, tlsKey, tlsCaCert, clientCertMode = "none" } = files;
  const cert = read("tls_cert", tlsCert);
  const ofCert = (reason: string): RefusedFile => ({ key: "tls_cert", path: tlsCert, reason });
  attempt({ cert }, ofCert("it holds no certificate in PEM form"));
  const key = read("tls_key", tlsKey);
  const ofKey = (reason: string): RefusedFile => ({ key: "tls_key", path: tlsKey, reason });
  attempt({ key }, ofKey("it holds no private key in PEM form without a password"));
  attempt({ cert, key }, ofKey(`it is not the key of tls_cert "${tlsCert}"`));
  const own: SecureContextOptions = { cert, key, ...policy };
  if (tlsCaCert === undefined) return { context: own, clientCertMode };
  const ca = read("tls_ca_cert", tlsCaCert);
  const ofCa = (reason: string): RefusedFile => ({ key: "tls_ca_cert", path: tlsCaCert, reason });
  if (!ca.includes("-----BEGIN CERTIFICATE-----")) {
    throw refuse(ofCa("it holds no certificate in PEM form"));
  }
  attempt({ ca }, ofCa("it holds no certificate in PEM form"));
  const revoked = ca.toString("latin1").match(revocationListPattern) ?? [];
  if (revoked.length === 0) return { context: { ...own, ca }, clientCertMode };
  attempt({ crl: revoked }, ofCa("its revocation list cannot be read"));
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

/** The file of the authority may also hold the list of certificates that it has revoked. */
const revocationListPattern = /-----BEGIN X509 CRL-----[^-]+-----END X509 CRL-----/g;

const fileReasons: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};
