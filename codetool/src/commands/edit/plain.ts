import type { CommandResult } from "../command.ts";

interface PlainFile {
  readonly file: string;
  readonly changes: readonly {
    readonly line: number;
    readonly before: string;
    readonly after: string;
  }[];
}

/** The changes of the payload, lines removed and lines added; the whole answer is a unified diff instead. */
export function renderPlainEdit(data: CommandResult["data"]): string {
  const files = (data["files"] ?? [data]) as readonly PlainFile[];
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
