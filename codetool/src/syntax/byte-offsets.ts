const strideUnits = 512;

/**
 * Makes a function from offsets in UTF-16 code units to offsets in UTF-8 bytes of the same text.
 *
 * The text is counted once, with a checkpoint every 512 units; an ASCII text costs one test. A lone surrogate counts as
 * three bytes, as encoders write it.
 *
 * @param text The text both offsets point into.
 * @returns A function for offsets from 0 to `text.length`.
 */
export function byteOffsetsOf(text: string): (unitOffset: number) => number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(text)) return (unitOffset) => unitOffset;
  const checkpoints = new Uint32Array(Math.floor(text.length / strideUnits) + 1);
  let byteOffset = 0;
  for (let unit = 0; unit < text.length; unit++) {
    if (unit % strideUnits === 0) checkpoints[unit / strideUnits] = byteOffset;
    byteOffset += byteLengthAt(text, unit);
  }
  if (text.length % strideUnits === 0) checkpoints[text.length / strideUnits] = byteOffset;
  return (unitOffset) => {
    const checkpoint = Math.floor(unitOffset / strideUnits);
    let found = checkpoints[checkpoint] ?? byteOffset;
    for (let unit = checkpoint * strideUnits; unit < unitOffset; unit++) {
      found += byteLengthAt(text, unit);
    }
    return found;
  };
}

/** Bytes that the unit adds: the whole pair at its first half, nothing at its second. */
function byteLengthAt(text: string, unit: number): number {
  const code = text.charCodeAt(unit);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text.charCodeAt(unit + 1))) return 4;
  if (isLowSurrogate(code) && unit > 0 && isHighSurrogate(text.charCodeAt(unit - 1))) return 0;
  return 3;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
