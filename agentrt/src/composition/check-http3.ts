import { http3Faults, type Http3Options } from "../gateway/http3/http3-faults.ts";
import type { NodeFinding } from "../topology/index.ts";
import type { CertSettings } from "./client-cert-fields.ts";

/**
 * Checks the keys of HTTP/3 against those of TLS.
 *
 * @param settings Of the node.
 */
export function* checkHttp3({
  http3,
  certs,
}: {
  readonly http3: Http3Options | undefined;
  readonly certs: CertSettings;
}): Generator<NodeFinding> {
  if (http3 === undefined) return;
  for (const { key, reason } of http3Faults({ ...http3, hasTls: certs.tls !== undefined })) {
    yield { path: [key], message: reason };
  }
}
