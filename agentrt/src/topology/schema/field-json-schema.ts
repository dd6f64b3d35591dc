import { z } from "zod";
import type { JsonObject, JsonValue } from "../../core/index.ts";
import { writtenSchema } from "./declared-settings.ts";

/** What each key of a topology file is for, by its path; `*` stands for every item of a list, or every name. */
export type KeyDescriptions = { readonly [path: string]: string };

/**
 * Turns a schema of `fields.ts` into JSON Schema (draft 2020-12) of what may be in the file.
 *
 * @param schema The schema; of a transformed one, the part before the transformation.
 * @returns A fresh JSON object, without descriptions.
 */
export function fieldJsonSchema(schema: z.ZodType): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(writtenSchema(schema), {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const field = zodSchema as unknown as z.ZodType;
      if (field instanceof z.ZodPipe && field.def.out instanceof z.ZodEnum) {
        delete jsonSchema.enum;
        Object.assign(jsonSchema, wordsJsonSchema(field, field.def.out.options));
      }
      if (field instanceof z.ZodCustom) Object.assign(jsonSchema, mappingJsonSchema(field));
      if (field instanceof z.ZodDefault && typeof field.def.defaultValue === "string")
        jsonSchema.default = field.def.defaultValue;
    },
  });
  takeVariables(json as JsonObject);
  return json as JsonObject;
}

/** A text in which `--substitute-env` puts a value of another type. */
const variable: JsonObject = { type: "string", pattern: "\\$\\{[A-Za-z_]" };
const checkedKeys = ["pattern", "enum"];

/** Lets keys and items whose type or form is checked be a variable instead. */
function takeVariables(schema: JsonValue | undefined): void {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  const { properties, additionalProperties, items, anyOf } = schema;
  if (typeof properties === "object" && properties !== null && !Array.isArray(properties))
    for (const [key, inner] of Object.entries(properties)) properties[key] = orVariable(inner);
  takeVariables(additionalProperties);
  if (items !== undefined) schema["items"] = orVariable(items);
  if (Array.isArray(anyOf)) anyOf.forEach(takeVariables);
}

function orVariable(schema: JsonValue): JsonValue {
  takeVariables(schema);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return schema;
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    if (anyOf.some(isChecked)) anyOf.push({ ...variable });
    return schema;
  }
  if (!isChecked(schema)) return schema;
  const { default: preset, ...rest } = schema;
  return { ...(preset === undefined ? {} : { default: preset }), anyOf: [rest, { ...variable }] };
}

function isChecked(schema: JsonValue): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const isOther = ["number", "integer", "boolean"].some((type) => schema["type"] === type);
  return isOther || checkedKeys.some((key) => key in schema);
}

/** Words that the parser takes in any case: editors offer both cases, and a pattern takes the mixed ones. */
function wordsJsonSchema(
  field: z.ZodType,
  words: readonly (string | number)[],
): { type?: "string"; enum?: string[]; anyOf?: { enum?: string[]; pattern?: string }[] } {
  const written = words.map(String);
  const bothCases = [
    ...new Set([...written, ...written.map(swapCase)].filter((word) => accepts(field, word))),
  ];
  if (bothCases.length === written.length) return { type: "string", enum: written };
  const pattern = `^(?:${written.map(anyCase).join("|")})$`;
  return { type: "string", anyOf: [{ enum: bothCases }, { pattern }] };
}

function swapCase(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.toUpperCase();
}

function anyCase(word: string): string {
  return word.replaceAll(
    /[A-Za-z]/g,
    (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`,
  );
}

/** A mapping with any keys; what its values may be is found by asking the schema. */
function mappingJsonSchema(field: z.ZodType): {
  type: "object";
  additionalProperties?: { type: "string" };
} {
  if (accepts(field, { key: 1 })) return { type: "object" };
  return { type: "object", additionalProperties: { type: "string" } };
}

function accepts(field: z.ZodType, value: unknown): boolean {
  return field.safeParse(value).success;
}

/**
 * Puts a description on every key of a JSON Schema.
 *
 * @param schema The schema, changed in place.
 * @param path Where its keys are in the table, for example `http_gateway`.
 * @param describe Gives a key's description.
 */
export function describeKeys(
  schema: JsonValue | undefined,
  path: string,
  describe: (path: string) => string,
): void {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  const { properties, additionalProperties, items, anyOf } = schema;
  if (typeof properties === "object" && properties !== null && !Array.isArray(properties))
    for (const [key, inner] of Object.entries(properties)) {
      if (typeof inner !== "object" || inner === null || Array.isArray(inner)) continue;
      properties[key] = { description: describe(`${path}.${key}`), ...inner };
      describeKeys(properties[key], `${path}.${key}`, describe);
    }
  describeKeys(items, `${path}.*`, describe);
  describeKeys(additionalProperties, `${path}.*`, describe);
  if (Array.isArray(anyOf)) for (const option of anyOf) describeKeys(option, path, describe);
}
