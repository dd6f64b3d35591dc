import {
  type AnswerSchema,
  cutFields,
  editedFileFields,
  editedFilesFields,
  either,
  object,
  text,
} from "../answers/index.ts";
import type { EditPayload } from "./payload.ts";

/** The payload of `edit`. */
export const editAnswer: AnswerSchema<EditPayload> = either(
  object({ ...editedFileFields, root: text }, cutFields),
  object(editedFilesFields, cutFields),
);
