import { createHash } from "node:crypto";
import {
  addressKey,
  type AddressRanges,
  type ClientKeyKind,
} from "../../gateway-settings/index.ts";
import { forwardedAddress } from "../forwarded-address.ts";
import type { GatewayRequest } from "../request.ts";
import { recordKey } from "../request-record.ts";

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
    const { [recordKey]: record, clientIp, headers } = request;
    const address = record?.clientIp ?? forwardedAddress(clientIp, headers, { trustedProxies });
    return `address:${addressKey(address)}`;
  }
  const found = identityOf(request, kind);
  if (found === undefined) return `address:${addressKey(request.clientIp)}`;
  const short = found.length > lengthMax ? createHash("sha256").update(found).digest("hex") : found;
  return `${kind}:${short}`;
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
