import { renderPlainEdit } from "../edit/index.ts";
import type { RenamePayload } from "./payload.ts";

/** The changes, and then the places that are left. */
export function renderPlainRename(payload: RenamePayload): string {
  const left = payload.unresolved.map(
    ({ file, line, text, reason }) => `left: ${file}:${line}: ${text} (${reason})\n`,
  );
  return renderPlainEdit(payload) + left.join("");
}
