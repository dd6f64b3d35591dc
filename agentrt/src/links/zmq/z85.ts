/** The digits of Z85, by their values (ZeroMQ RFC 32). */
const digits =
  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/** @returns Bytes as Z85: 5 characters for each 4 bytes, of which there are whole ones only. */
export function z85Of(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let value = bytes.readUInt32BE(at);
    let word = "";
    for (let count = 0; count < 5; count += 1) {
      word = `${digits[value % 85] ?? ""}${word}`;
      value = Math.floor(value / 85);
    }
    text += word;
  }
  return text;
}
