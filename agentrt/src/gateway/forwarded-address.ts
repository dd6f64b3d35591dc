import { isIP } from "node:net";
import type { AddressRanges } from "../gateway-settings/index.ts";
import type { StringMap } from "./request.ts";

/** The header by which proxies name the address they serve. */
export type ForwardedHeader = "x-forwarded-for" | "forwarded";

const bracketed = /^\[([^\]]*)\](?::\d+)?$/;
const withPort = /^([\d.]+):\d+$/;
/** RFC 7239 section 4: the node of one hop, in quotes where it holds a colon. */
const forwardedNode = /(?:^|;)\s*for\s*=\s*"?([^";\s]+)"?/i;

/**
 * Walks from the peer towards the client as long as each is a trusted proxy. What a client writes itself is at the
 * far end, behind the first address that is nobody's proxy.
 *
 * @param peerIp Address of the immediate peer.
 * @param headers Of the request.
 * @param how.trustedProxies Whose word counts; `undefined` for nobody's.
 * @param how.header The one header that is read: the other may be the client's own.
 * @returns The address of the client, or of the last that is known.
 */
export function forwardedAddress(
  peerIp: string,
  headers: StringMap,
  how: {
    readonly trustedProxies: AddressRanges | undefined;
    readonly header?: ForwardedHeader | undefined;
  },
): string {
  const { trustedProxies, header = "x-forwarded-for" } = how;
  if (trustedProxies?.has(peerIp) !== true) return peerIp;
  const hops = headers[header]?.split(",") ?? [];
  let address = peerIp;
  while (trustedProxies.has(address)) {
    const hop = hops.pop()?.trim() ?? "";
    const node = header === "forwarded" ? (forwardedNode.exec(hop)?.[1] ?? "") : hop;
    const bare = bracketed.exec(node)?.[1] ?? node.replace(withPort, "$1");
    if (isIP(bare) === 0) break;
    address = bare;
  }
  return address;
}
