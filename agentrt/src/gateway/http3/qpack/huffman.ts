import { endOfStringSymbol, huffmanCodes } from "./huffman-code.ts";

/** Children of node n are at 2n and 2n+1: a node above 0, or a symbol s as -1 - s; 0 is nothing. */
let tree: Int16Array | undefined;

/**
 * Decodes a Huffman-coded string (RFC 7541 §5.2).
 *
 * @param bytes Holds the string.
 * @param start First byte.
 * @param end Behind its last byte.
 * @returns The text, a character a byte; `undefined` when it is not such a string.
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string | undefined {
  tree ??= buildTree();
  // The shortest code has five bits.
  const out = Buffer.allocUnsafe(Math.ceil(((end - start) * 8) / 5));
  let length = 0;
  let node = 0;
  let pendingBits = 0;
  let isPadding = true;
  for (let offset = start; offset < end; offset += 1) {
    const byte = bytes[offset] ?? 0;
    for (let shift = 7; shift >= 0; shift -= 1) {
      const bit = (byte >> shift) & 1;
      const next = tree[2 * node + bit] ?? 0;
      pendingBits += 1;
      if (bit === 0) isPadding = false;
      if (next > 0) node = next;
      else {
        const symbol = -1 - next;
        if (symbol < 0 || symbol === endOfStringSymbol) return undefined;
        out[length] = symbol;
        length += 1;
        node = 0;
        pendingBits = 0;
        isPadding = true;
      }
    }
  }
  return pendingBits < 8 && isPadding ? out.toString("latin1", 0, length) : undefined;
}

function buildTree(): Int16Array {
  const built = new Int16Array(2 * 257);
  let nodeCount = 1;
  for (const [symbol, { bits, lengthBits }] of huffmanCodes().entries()) {
    let node = 0;
    for (let shift = lengthBits - 1; shift > 0; shift -= 1) {
      const at = 2 * node + ((bits >>> shift) & 1);
      if (built[at] === 0) {
        built[at] = nodeCount;
        nodeCount += 1;
      }
      node = built[at] ?? 0;
    }
    built[2 * node + (bits & 1)] = -1 - symbol;
  }
  return built;
}
