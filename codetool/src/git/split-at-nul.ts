/** Splits what git ends by NUL. */
export function splitAtNul(output: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < output.length;) {
    const nul = output.indexOf(0, at);
    const end = nul === -1 ? output.length : nul;
    parts.push(output.subarray(at, end));
    at = end + 1;
  }
  return parts;
}
