import type { EditPayload } from "./payload.ts";

/** The changes of the payload, lines removed and lines added; the whole answer is a unified diff instead. */
export function renderPlainEdit(payload: EditPayload): string {
  const files = "files" in payload ? payload.files : [payload];
  const parts: string[] = [];
  for (const { file, changes } of files) {
    if (changes.length > 0) parts.push(`--- a/${file}\n+++ b/${file}\n`);
    for (const { line, before, after } of changes)
      parts.push(`line ${line}\n`, signed("-", before), signed("+", after));
  }
  return parts.join("");
}

function signed(sign: string, text: string): string {
  return text === "" ? "" : `${text.replaceAll(/^/gm, sign)}\n`;
}
