/** One element of DER: its tag and where its content lies. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * Reads the elements that lie one behind the other in some DER, for example those of a sequence.
 *
 * @param bytes The content of the element around them.
 * @returns All of them, or `undefined` when the bytes are not DER: a length that is cut short, indefinite, or written
 *   longer than it need be, or a tag above 30.
 */
export function readDer(bytes: Uint8Array): DerElement[] | undefined {
  const elements: DerElement[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const tag = bytes[offset] ?? 0;
    const first = bytes[offset + 1];
    if ((tag & 0x1f) === 0x1f || first === undefined) return undefined;
    offset += 2;
    let sizeBytes = first;
    if (first >= 0x80) {
      const lengthSizeBytes = first & 0x7f;
      if (lengthSizeBytes === 0 || lengthSizeBytes > 3) return undefined;
      sizeBytes = 0;
      for (let index = 0; index < lengthSizeBytes; index += 1) {
        sizeBytes = sizeBytes * 256 + (bytes[offset + index] ?? 0);
      }
      offset += lengthSizeBytes;
      if (sizeBytes < 0x80 || sizeBytes < 256 ** (lengthSizeBytes - 1)) return undefined;
    }
    if (offset + sizeBytes > bytes.length) return undefined;
    elements.push({ tag, content: bytes.subarray(offset, offset + sizeBytes) });
    offset += sizeBytes;
  }
  return elements;
}

/**
 * Reads the one element that some bytes are.
 *
 * @param bytes The whole of it.
 * @param tag What it must be.
 * @returns Its content, or `undefined` for anything else, bytes behind it included.
 */
export function readOneDer(bytes: Uint8Array, tag: number): Uint8Array | undefined {
  const elements = readDer(bytes);
  const [element] = elements ?? [];
  return elements?.length === 1 && element?.tag === tag ? element.content : undefined;
}
