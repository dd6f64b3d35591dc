import type { EditingProcess } from "./edit-folder.ts";

/** Edits that this process has begun: each has another id. */
let editCount = 0;

/** Makes an id that no edit of any process that lives has. */
export function newEditId({ id, mark }: EditingProcess): string {
  editCount += 1;
  return `${id}-${mark}-${editCount}`;
}
