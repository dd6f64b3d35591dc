import type { Duplex } from "node:stream";

const lastTextFrame = 0x81;
const lengthOfTwoBytes = 126;
const lengthOfEightBytes = 127;

/**
 * Writes a whole text message of a server (RFC 6455 section 5.2) in one piece; `ws` writes head and text apart, which
 * costs the system more than the rest of the way.
 *
 * @param transport What the connection runs on; it is open, and nothing of `ws` is in a frame just now: it
 *   compresses nothing, and writes its own frames at once.
 * @param text Of the message.
 * @param callback Called when it was handed over, with an error when the connection has gone.
 */
export function writeTextFrame(
  transport: Duplex,
  text: string,
  callback: (error?: Error | null) => void,
): void {
  const sizeBytes = Buffer.byteLength(text);
  const head = headOf(sizeBytes);
  // One byte a character: of ASCII text no bytes have to be made.
  if (sizeBytes === text.length) transport.write(head + text, "latin1", callback);
  else transport.write(Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(text)]), callback);
}

/** The head of a frame, one byte a character. */
function headOf(sizeBytes: number): string {
  if (sizeBytes < lengthOfTwoBytes) return String.fromCharCode(lastTextFrame, sizeBytes);
  const two = String.fromCharCode((sizeBytes >>> 8) & 0xff, sizeBytes & 0xff);
  if (sizeBytes <= 0xffff) return String.fromCharCode(lastTextFrame, lengthOfTwoBytes) + two;
  const four = String.fromCharCode(sizeBytes >>> 24, (sizeBytes >>> 16) & 0xff);
  return String.fromCharCode(lastTextFrame, lengthOfEightBytes, 0, 0, 0, 0) + four + two;
}
