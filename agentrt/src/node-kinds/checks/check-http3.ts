import { http3Faults, type Http3Options } from "../../gateway-settings/index.ts";
import type { NodeFinding, TopologyNode, TreeView } from "../../topology/index.ts";
import type { CertSettings } from "./client-cert-fields.ts";

/** What of a gateway's settings HTTP/3 is about. */
interface Http3Settings {
  readonly host: string;
  readonly http3: Http3Options | undefined;
  readonly certs: CertSettings;
}

const everyHost = new Set(["0.0.0.0", "::"]);

/**
 * Checks the keys of HTTP/3 against those of TLS, and its port against those of the gateways before.
 *
 * @param gateway Name and settings of the node.
 * @param tree Where other nodes are found.
 * @param settingsOf Gives the settings of a node that is a gateway.
 */
export function* checkHttp3(
  { name, host, http3, certs }: Http3Settings & { readonly name: string },
  tree: TreeView,
  settingsOf: (node: TopologyNode) => Http3Settings | undefined,
): Generator<NodeFinding> {
  if (http3 === undefined) return;
  for (const { key, reason } of http3Faults({ ...http3, hasTls: certs.tls !== undefined })) {
    yield { path: [key], message: reason };
  }
  const { port = 0 } = http3;
  if (port === 0) return;
  for (const otherName of tree.names.slice(0, tree.names.indexOf(name))) {
    const node = tree.find(otherName);
    const other = node === undefined ? undefined : settingsOf(node);
    if (other?.http3?.port !== port) continue;
    if (other.host !== host && !everyHost.has(other.host) && !everyHost.has(host)) continue;
    yield {
      path: ["port_quic"],
      refersTo: otherName,
      message: `"${otherName}" listens on UDP port ${port} of ${other.host} already`,
    };
    return;
  }
}
