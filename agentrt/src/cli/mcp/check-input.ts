import { didYouMean, type JsonObject, type JsonValue } from "../../core/index.ts";
import { type ArgumentSchema, type ControlTool, ToolFault } from "./control-tool.ts";

/**
 * Checks the arguments of a call against those of its tool.
 *
 * @param tool The tool.
 * @param input As the client sent it.
 * @throws ToolFault with all that a model needs to correct itself.
 */
export function checkInput(tool: ControlTool, input: JsonObject): void {
  const known = Object.keys(tool.input);
  for (const name of tool.required ?? [])
    if (input[name] === undefined) throw new ToolFault(`the argument "${name}" is missing`);
  for (const [name, value] of Object.entries(input)) {
    const schema = Object.hasOwn(tool.input, name) ? tool.input[name] : undefined;
    if (schema === undefined) {
      const hint = didYouMean(name, known);
      const wanted = known.length === 0 ? "it has none" : `wanted ${known.join(", ")}`;
      throw new ToolFault(`there is no argument "${name}": ${wanted}${hint}`);
    }
    const wanted = value === undefined ? undefined : faultOf(value, schema);
    if (wanted !== undefined) throw new ToolFault(`"${name}" is not ${wanted}`);
  }
}

/** What was wanted in place of a value. */
function faultOf(value: JsonValue, schema: ArgumentSchema): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, enum: words } = schema;
  switch (schema.type) {
    case "string": {
      if (typeof value !== "string" || value === "") return "a text";
      const isKnown = words === undefined || words.includes(value);
      return isKnown ? undefined : `one of ${words.join(", ")}`;
    }
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? undefined
        : "an object";
    default: {
      const isWhole = schema.type === "number" || Number.isInteger(value);
      const isIn = typeof value === "number" && value >= minimum && value <= maximum;
      if (isWhole && isIn) return undefined;
      return `a ${schema.type === "integer" ? "whole " : ""}number from ${minimum} to ${maximum}`;
    }
  }
}
