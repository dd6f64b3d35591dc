/**
 * Packs an address.
 *
 * @param address IPv4 or IPv6 as text; a zone behind `%` is left out.
 * @returns 4 or 16 bytes; `undefined` when it is not an address.
 */
export function packIp(address: string): Uint8Array | undefined {
  const text = address.split("%", 1)[0] ?? "";
  if (!text.includes(":")) return packIp4(text);
  const dots = text.lastIndexOf(".") === -1 ? undefined : text.slice(text.lastIndexOf(":") + 1);
  const tail = dots === undefined ? undefined : packIp4(dots);
  if (dots !== undefined && tail === undefined) return undefined;
  const groups =
    tail === undefined
      ? text
      : `${text.slice(0, -dots!.length)}${hexOf(tail, 0)}:${hexOf(tail, 2)}`;
  const [head = "", rest] = groups.split("::", 2);
  const left = head === "" ? [] : head.split(":");
  const right = rest === undefined || rest === "" ? [] : rest.split(":");
  const gapCount = 8 - left.length - right.length;
  if (rest === undefined ? gapCount !== 0 : gapCount < 0) return undefined;
  const all = [...left, ...Array<string>(gapCount).fill("0"), ...right];
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}

function packIp4(text: string): Uint8Array | undefined {
  const parts = text.split(".").map(Number);
  const isWhole = parts.length === 4 && parts.every((part) => part >= 0 && part <= 255);
  return isWhole ? Uint8Array.from(parts) : undefined;
}

/**
 * Unpacks an address.
 *
 * @param bytes Holds it.
 * @param sizeBytes 4 or 16.
 * @returns Its text; of IPv6 the long form.
 */
export function unpackIp(bytes: Uint8Array, sizeBytes: number): string {
  if (sizeBytes === 4) return `${bytes[0]}.${bytes[1]}.${bytes[2]}.${bytes[3]}`;
  return Array.from({ length: 8 }, (_, index) => hexOf(bytes, 2 * index)).join(":");
}

function hexOf(bytes: Uint8Array, offset: number): string {
  return (((bytes[offset] ?? 0) << 8) | (bytes[offset + 1] ?? 0)).toString(16);
}
