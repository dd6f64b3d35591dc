/** Sequences that terminals take as commands: CSI, OSC (titles, links) and the two-character ones. */
const sequence =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;

/**
 * Takes out of a text what is meant for terminals: colours, links, titles, characters that were taken back, and of a line
 * that was written again after a carriage return all but the last state. Line ends become `\n`.
 */
export function cleanText(text: string): string {
  let cleaned =
    text.includes("\u001b") || text.includes("\u009b") ? text.replace(sequence, "") : text;
  if (cleaned.includes("\r"))
    cleaned = cleaned.replaceAll(/\r+\n/g, "\n").replaceAll(/^[^\n]*\r(?=[^\n])/gm, "");
  while (cleaned.includes("\b")) {
    const shorter = cleaned.replaceAll(/[^\u0008\n]\u0008|^\u0008+/gm, "");
    if (shorter.length === cleaned.length) break;
    cleaned = shorter;
  }
  return cleaned;
}
