import { z } from "zod";
import type { JsonObject, JsonValue } from "../../core/index.ts";

/**
 * Reads settings as the file names them: its keys, its units, words in the case the runtime uses, defaults filled in.
 * A key that may be null and is, is left out: that says the same as not writing it.
 *
 * @param schema A kind's schema: `mapping({...})`, possibly transformed. The transformation is not made.
 * @param settings Settings that the schema takes.
 * @returns A fresh object.
 */
export function declaredSettings(schema: z.ZodType, settings: JsonValue): JsonObject {
  const written = writtenSchema(schema);
  return withoutNulls(written, written.parse(settings) as JsonValue) as JsonObject;
}

/**
 * The schema of what is in the file, where a schema goes on to transform it.
 *
 * @param schema A kind's schema.
 * @returns The part before the transformation, or the schema itself.
 */
export function writtenSchema(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodPipe)) return schema;
  const written = schema.def.in as z.ZodType;
  return written instanceof z.ZodTransform ? schema : writtenSchema(written);
}

function withoutNulls(schema: z.ZodType, value: JsonValue): JsonValue {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  )
    return withoutNulls(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withoutNulls(schema.element as z.ZodType, item));
  if (!(schema instanceof z.ZodObject) || typeof value !== "object" || value === null) return value;
  const kept: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    const inner = schema.shape[key];
    if (item !== null && item !== undefined && inner !== undefined)
      kept[key] = withoutNulls(inner, item);
  }
  return kept;
}
