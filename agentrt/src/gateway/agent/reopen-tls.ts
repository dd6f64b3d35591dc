import { X509Certificate } from "node:crypto";
import { TableError, type Log } from "../../core/index.ts";
import { readTlsMaterial, type TlsFiles, type TlsMaterial } from "../listening/index.ts";

/** What serves with certificates. */
export interface TlsServer {
  /** Serves new connections with other material; open ones stay as they are. */
  useTls(tls: TlsMaterial): void;
}

/**
 * Reads the files of certificates once more, and serves new connections with them. Files that cannot be used change
 * nothing, and the log says which one and why.
 *
 * @param files Their paths.
 * @param options.node Name of the gateway.
 * @param options.servers The listeners with TLS.
 * @param options.log For one line.
 */
export function reopenTls(
  files: TlsFiles,
  {
    node,
    servers,
    log,
  }: { readonly node: string; readonly servers: readonly TlsServer[]; readonly log: Log },
): void {
  let material: TlsMaterial;
  try {
    material = readTlsMaterial(node, files);
  } catch (error) {
    log.error("certificates cannot be read again: the old ones stay", { reason: reasonOf(error) });
    return;
  }
  for (const server of servers) server.useTls(material);
  const { validTo: expires } = new X509Certificate(String(material.context.cert));
  log.info("certificates were read again", { path: files.tlsCert, expires });
}

/** The error speaks of a start, which this is none of. */
function reasonOf(error: unknown): string {
  if (!(error instanceof TableError)) return String(error);
  const { key, path, reason } = error.details as { readonly [name: string]: string };
  return `${key} "${path}": ${reason}`;
}
