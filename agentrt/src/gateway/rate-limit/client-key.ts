import { createHash } from "node:crypto";
import { isIP } from "node:net";
import {
  addressKey,
  type AddressRanges,
  type ClientKeyKind,
} from "../../gateway-settings/index.ts";
import type { GatewayRequest } from "../request.ts";

const lengthMax = 128;

/**
 * Finds whose request it is. Where nobody has verified what the kind asks for, it is that of the address.
 *
 * @param request The request, behind the middleware that authenticates.
 * @param kind What is asked for.
 * @param trustedProxies Whose `X-Forwarded-For` is believed, for `forwarded_address`.
 * @returns At most 128 characters and the kind; longer values are told apart by their digest.
 */
export function clientKeyOf(
  request: GatewayRequest,
  kind: ClientKeyKind,
  trustedProxies?: AddressRanges,
): string {
  if (kind === "address") return `address:${addressKey(request.clientIp)}`;
  if (kind === "forwarded_address") {
    return `address:${addressKey(forwardedAddress(request, trustedProxies))}`;
  }
  const found = identityOf(request, kind);
  if (found === undefined) return `address:${addressKey(request.clientIp)}`;
  const short = found.length > lengthMax ? createHash("sha256").update(found).digest("hex") : found;
  return `${kind}:${short}`;
}

/**
 * Walks from the peer towards the client as long as each is a trusted proxy. What a client writes itself is at the
 * far end, behind the first address that is nobody's proxy.
 */
function forwardedAddress(
  { clientIp, headers }: GatewayRequest,
  trustedProxies: AddressRanges | undefined,
): string {
  const hops = headers["x-forwarded-for"]?.split(",") ?? [];
  let address = clientIp;
  while (trustedProxies?.has(address) === true) {
    const hop = hops.pop()?.trim() ?? "";
    const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
    if (isIP(bare) === 0) break;
    address = bare;
  }
  return address;
}

function identityOf(
  { auth }: GatewayRequest,
  kind: Exclude<ClientKeyKind, "address" | "forwarded_address">,
): string | undefined {
  if (auth === undefined) return undefined;
  if (kind === "principal") return textOf(auth.principal?.id ?? auth.id);
  if (kind === "api_key") return textOf(memberOf(auth["apiKey"], "fingerprint"));
  return textOf(memberOf(auth["claims"], kind.slice("claim:".length)));
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { readonly [name: string]: unknown })[name];
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}
