import { isIPv4, isIPv6 } from "node:net";

/**
 * Writes an address so that one client has one: IPv4 in IPv6 is IPv4, and of IPv6 the network of 64 bits counts, in
 * which a client has as many addresses as it likes.
 *
 * @param address As a socket gives it, without port.
 */
export function addressKey(address: string): string {
  const bare = address.split("%", 1)[0] ?? "";
  if (!isIPv6(bare)) return bare;
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    return [groups[6] ?? 0, groups[7] ?? 0]
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const tail = address.slice(address.lastIndexOf(":") + 1);
  const text = isIPv4(tail) ? address.slice(0, -tail.length) + hexadecimal(tail) : address;
  const [before = "", after] = text.split("::", 2);
  const read = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const left = read(before);
  if (after === undefined) return left;
  const right = read(after);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  return [...left, ...zeros, ...right];
}

function hexadecimal(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split(".").map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
