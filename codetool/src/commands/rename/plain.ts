import { renderPlainEdit } from "../edit/index.ts";
import type { RenamePayload } from "./payload.ts";

/** The lines of comments and strings that have the old name. */
export function renderPlainMentions({ mentions }: Pick<RenamePayload, "mentions">): string {
  return mentions
    .map(({ file, line, text, in: where }) => `left: ${file}:${line}: ${text} (in a ${where})\n`)
    .join("");
}

/** The changes, and then the places that are left. */
export function renderPlainRename(payload: RenamePayload): string {
  const left = payload.unresolved.map(
    ({ file, line, text, reason }) => `left: ${file}:${line}: ${text} (${reason})\n`,
  );
  return renderPlainEdit(payload) + left.join("") + renderPlainMentions(payload);
}
