const lineFeed = 0x0a;

/**
 * Counts the lines of a text by its line feeds; a last line without one counts, an empty last line does not.
 */
export function countLines(bytes: Uint8Array): number {
  let count = 0;
  let position = bytes.indexOf(lineFeed);
  while (position !== -1) {
    count += 1;
    position = bytes.indexOf(lineFeed, position + 1);
  }
  return bytes.length > 0 && bytes[bytes.length - 1] !== lineFeed ? count + 1 : count;
}
