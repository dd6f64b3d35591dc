/**
 * What an answer looks like, as JSON Schema with the TypeScript type that it describes.
 *
 * A command's `answer-schema.ts` writes the schema of its payload with these words; the compiler checks it against the
 * type of the payload, and MCP serves it as the output schema of the tool.
 */
export {
  type AnswerSchema,
  count,
  either,
  exactly,
  flag,
  linesSchema,
  list,
  nullable,
  number,
  object,
  oneOf,
  record,
  reference,
  text,
  withDefinitions,
} from "./answer-schema.ts";
export { cutFields, editedFileFields, editedFilesFields } from "./edited-files.ts";
