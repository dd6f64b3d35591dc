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
 * @param flags Flags that every command takes in addition to its own.
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

function positionalSchema(positional: PositionalDefinition): object {
  const { isVariadic, isOneAllowed, summary } = positional;
  const list = { type: "array", items: { type: "string" } };
  if (isVariadic === true && isOneAllowed === true)
    return { anyOf: [{ type: "string" }, list], description: summary };
  if (isVariadic === true) return { ...list, description: summary };
  return { type: "string", description: summary };
}

function flagSchema(flag: FlagDefinition): object {
  const { kind, choices, minimum, maximum, isOnByDefault, summary } = flag;
  const description = { description: summary };
  switch (kind) {
    case "strings":
      return { type: "array", items: { type: "string" }, ...description };
    case "string":
      if (flag.isCountAllowed === true)
        return {
          anyOf: [
            { type: "string", enum: choices },
            { type: "integer", minimum: 0 },
          ],
          ...description,
        };
      return {
        type: "string",
        ...(choices === undefined ? {} : { enum: choices }),
        ...description,
      };
    case "boolean":
      return {
        type: "boolean",
        ...(isOnByDefault === true ? { default: true } : {}),
        ...description,
      };
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
