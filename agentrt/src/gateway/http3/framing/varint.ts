/** How many bytes the variable-length integer has that begins with `first` (RFC 9000 §16): 1, 2, 4 or 8. */
export function varintSizeBytes(first: number): number {
  return 1 << (first >> 6);
}

/**
 * Reads a variable-length integer.
 *
 * @param bytes Must hold all of it; see `varintSizeBytes`.
 * @param byteOffset Where it begins.
 * @returns Its value; above 2^53 the nearest number, which no limit lets through.
 */
export function varintAt(bytes: Uint8Array, byteOffset: number): number {
  const first = bytes[byteOffset] ?? 0;
  const sizeBytes = varintSizeBytes(first);
  let value = first & 0x3f;
  for (let index = 1; index < sizeBytes; index += 1) {
    value = value * 256 + (bytes[byteOffset + index] ?? 0);
  }
  return value;
}

/**
 * Writes a variable-length integer in its shortest form.
 *
 * @param out Bytes are added at its end.
 * @param value 0 to 2^53 - 1.
 */
export function pushVarint(out: number[], value: number): void {
  if (value < 0x40) out.push(value);
  else if (value < 0x4000) out.push(0x40 | (value >> 8), value & 0xff);
  else if (value < 0x4000_0000) {
    out.push(0x80 | (value >>> 24), (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
  } else {
    const high = Math.floor(value / 0x1_0000_0000);
    out.push(0xc0 | (high >>> 24), (high >>> 16) & 0xff, (high >>> 8) & 0xff, high & 0xff);
    out.push((value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
  }
}
