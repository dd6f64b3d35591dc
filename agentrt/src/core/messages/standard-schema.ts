/**
 * A schema as https://standardschema.dev has it: zod, Valibot, ArkType and others make such objects, and none of them has
 * to be installed for agentrt.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | PromiseLike<SchemaResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Where the library can say it: the same as JSON Schema. */
    readonly jsonSchema?: SchemaConverter | undefined;
  };
}

/** Says what a schema takes and what it makes of it, as JSON Schema; throws where that cannot be said. */
export interface SchemaConverter {
  readonly input: (options: { readonly target: "draft-2020-12" }) => object;
  readonly output: (options: { readonly target: "draft-2020-12" }) => object;
}

/** What a schema says about a value. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** What is wrong with a value, and where. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The schemas of one kind of message. Only payloads are checked; the others describe what comes back. */
export interface SchemaShape {
  readonly payload?: StandardSchema;
  readonly reply?: StandardSchema;
  readonly chunk?: StandardSchema;
}

/**
 * What a class of agents declares as `static schemas`: one shape for all of its messages, or by message type a shape, or
 * only the schema of the payload.
 */
export type AgentSchemas = SchemaShape | { readonly [type: string]: SchemaShape | StandardSchema };

type InputOf<Schema> = Schema extends StandardSchema<infer Input, unknown> ? Input : never;

type OutputOf<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : never;

type ShapeFrom<Schemas> = Schemas extends { readonly "~standard": unknown }
  ? { readonly payload: OutputOf<Schemas>; readonly sent: InputOf<Schemas> }
  : { readonly [Part in keyof Schemas]: OutputOf<Schemas[Part]> } & (Schemas extends {
      readonly payload: infer Payload;
    }
      ? { readonly sent: InputOf<Payload> }
      : unknown);

/**
 * The messages that schemas declare: the second type argument of an agent.
 *
 * @example
 * const schemas = { payload: z.object({ name: z.string() }), reply: z.object({ greeting: z.string() }) };
 * class Greeter extends Agent<JsonObject, MessagesFrom<typeof schemas>> {
 *   static override schemas = schemas;
 * }
 */
export type MessagesFrom<Schemas> = Schemas extends SchemaShape
  ? ShapeFrom<Schemas>
  : { readonly [Type in keyof Schemas]: ShapeFrom<Schemas[Type]> };
