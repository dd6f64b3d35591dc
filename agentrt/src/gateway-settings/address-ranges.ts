import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** A set of IP addresses. */
export interface AddressRanges {
  /** True when it holds an address; an IPv4 one may be written in IPv6. */
  has(address: string): boolean;
}

/** Ranges that were read, and what is not a range. */
export interface ReadRanges {
  readonly ranges: AddressRanges;
  /** Texts that are not IP ranges. */
  readonly faulty: readonly string[];
  /** Texts of ranges that hold every address. */
  readonly endless: readonly string[];
}

const rangePattern = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/;

/**
 * Reads IP ranges such as `10.0.0.0/8`, `2001:db8::/32` or one address.
 *
 * @param texts The ranges.
 */
export function readAddressRanges(texts: readonly string[]): ReadRanges {
  const list = new BlockList();
  const faulty: string[] = [];
  const endless: string[] = [];
  for (const text of texts) {
    const [, address = "", length] = rangePattern.exec(text) ?? [];
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    const prefixLength = length === undefined ? bits : Number(length);
    if (version === 0 || prefixLength > bits) {
      faulty.push(text);
      continue;
    }
    if (prefixLength === 0) endless.push(text);
    list.addSubnet(address, prefixLength, version === 4 ? "ipv4" : "ipv6");
  }
  // Most gateways trust no proxy, and ask for each request.
  const isEmpty = list.rules.length === 0;
  return { ranges: { has: (address) => !isEmpty && isIn(list, address) }, faulty, endless };
}

function isIn(list: BlockList, address: string): boolean {
  const bare = address.split("%", 1)[0] ?? "";
  if (isIPv4(bare)) return list.check(bare, "ipv4");
  return isIPv6(bare) && list.check(bare, "ipv6");
}
