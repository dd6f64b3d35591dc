import { huffmanCodes } from "../qpack/huffman-code.ts";

/**
 * Encodes a string as clients do.
 *
 * @param text A character a byte.
 * @returns The coded bytes, padded with ones.
 */
export function encodeHuffman(text: string): Uint8Array {
  const codes = huffmanCodes();
  let bits = "";
  for (const byte of Buffer.from(text, "latin1")) {
    const code = codes[byte]!;
    bits += code.bits.toString(2).padStart(code.lengthBits, "0");
  }
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (octet) => Number.parseInt(octet, 2));
}
