/** JSON Schema of values of a type. */
export interface AnswerSchema<Value> {
  readonly json: { readonly [keyword: string]: unknown };
  /** Schemas that `reference` names, by their names; default none. */
  readonly definitions?: { readonly [name: string]: AnswerSchema<unknown>["json"] };
  /** Never there: it ties the schema to the type. */
  readonly value?: Value;
}

type Fields = { readonly [name: string]: AnswerSchema<unknown> };
type ValueOf<Schema> = Schema extends AnswerSchema<infer Value> ? Value : never;
type FieldsOf<Each extends Fields> = { readonly [Name in keyof Each]: ValueOf<Each[Name]> };

/** Any string. */
export const text: AnswerSchema<string> = { json: { type: "string" } };
/** Any number. */
export const number: AnswerSchema<number> = { json: { type: "number" } };
/** A whole number of 0 and up. */
export const count: AnswerSchema<number> = { json: { type: "integer", minimum: 0 } };
/** True or false. */
export const flag: AnswerSchema<boolean> = { json: { type: "boolean" } };

/** One value and no other. */
export function exactly<const Value extends boolean | string>(value: Value): AnswerSchema<Value> {
  return { json: { const: value } };
}

/** One of some strings. */
export function oneOf<const Value extends string>(
  ...values: readonly Value[]
): AnswerSchema<Value> {
  return { json: { type: "string", enum: values } };
}

/** A value or `null`. */
export function nullable<Value>({ json }: AnswerSchema<Value>): AnswerSchema<Value | null> {
  return { json: { anyOf: [json, { type: "null" }] } };
}

/** A list of values. */
export function list<Value>({ json }: AnswerSchema<Value>): AnswerSchema<readonly Value[]> {
  return { json: { type: "array", items: json } };
}

/** Values by names that are not known before. */
export function record<Value>({
  json,
}: AnswerSchema<Value>): AnswerSchema<{ readonly [name: string]: Value }> {
  return { json: { type: "object", additionalProperties: json } };
}

/**
 * An object.
 *
 * @param required Fields that are always there.
 * @param optional Fields that may be absent.
 */
export function object<Required extends Fields>(
  required: Required,
): AnswerSchema<FieldsOf<Required>>;
export function object<Required extends Fields, Optional extends Fields>(
  required: Required,
  optional: Optional,
): AnswerSchema<FieldsOf<Required> & Partial<FieldsOf<Optional>>>;
export function object(required: Fields, optional: Fields = {}): AnswerSchema<unknown> {
  const all = Object.entries({ ...required, ...optional });
  const properties = Object.fromEntries(all.map(([name, { json }]) => [name, json]));
  return { json: { type: "object", properties, required: Object.keys(required) } };
}

/** What one of several schemas describes. */
export function either<Schemas extends readonly AnswerSchema<unknown>[]>(
  ...schemas: Schemas
): AnswerSchema<ValueOf<Schemas[number]>> {
  return { json: { anyOf: schemas.map(({ json }) => json) } };
}

/** What a schema of `withDefinitions` describes, for values that hold values of their kind. */
export function reference<Value>(name: string): AnswerSchema<Value> {
  return { json: { $ref: `#/$defs/${name}` } };
}

/** A schema with those that its references name. */
export function withDefinitions<Value>(
  schema: AnswerSchema<Value>,
  definitions: Fields,
): AnswerSchema<Value> {
  const named = Object.entries(definitions).map(([name, { json }]) => [name, json] as const);
  return { ...schema, definitions: Object.fromEntries(named) };
}

/** Lines of a file, from 1, both ends included. */
export const linesSchema = object({ start: count, end: count });
