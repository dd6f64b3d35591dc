import type {
  CommandDescription,
  FlagDefinition,
  PositionalDefinition,
} from "../commands/index.ts";

/** JSON Schema of a tool's arguments. */
export interface ToolSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: object };
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/**
 * Makes the schema of a command's arguments.
 *
 * @param flags Flags that every command takes beside its own.
 */
export function schemaOf(
  description: CommandDescription,
  flags: readonly FlagDefinition[],
): ToolSchema {
  const properties: { [name: string]: object } = {};
  for (const positional of description.positionals)
    properties[positional.name] = positionalSchema(positional);
  for (const flag of [...description.flags, ...flags]) properties[flag.name] = flagSchema(flag);
  return {
    type: "object",
    properties,
    required: description.positionals
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => name),
    additionalProperties: false,
  };
}

function positionalSchema({ isVariadic, summary }: PositionalDefinition): object {
  if (isVariadic === true)
    return { type: "array", items: { type: "string" }, description: summary };
  return { type: "string", description: summary };
}

function flagSchema({ kind, choices, minimum, maximum, summary }: FlagDefinition): object {
  const description = { description: summary };
  switch (kind) {
    case "strings":
      return { type: "array", items: { type: "string" }, ...description };
    case "string":
      return {
        type: "string",
        ...(choices === undefined ? {} : { enum: choices }),
        ...description,
      };
    case "boolean":
      return { type: "boolean", ...description };
    case "integer":
    case "number":
      return {
        type: kind,
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
        ...description,
      };
  }
}
