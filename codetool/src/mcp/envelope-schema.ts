import type { CommandDefinition } from "../commands/index.ts";

const text = { type: "string" } as const;

/**
 * Makes the schema of a command's envelope: what the tool's structured content is, for an answer and for an error.
 *
 * @returns JSON Schema.
 */
export async function answerSchemaOf(
  definition: CommandDefinition,
): Promise<{ readonly [keyword: string]: unknown; readonly type: "object" }> {
  const answer = await definition.answerSchema?.();
  const definitions = answer?.definitions;
  return {
    type: "object",
    properties: {
      version: text,
      command: { const: definition.name },
      status: { type: "string", enum: ["ok", "error"] },
      tokens: { type: "integer", minimum: 0, description: "size of the whole envelope" },
      data: answer?.json ?? { type: "object" },
      error: {
        type: "object",
        properties: { code: text, message: text, suggestion: text },
        required: ["code", "message"],
      },
      warnings: { type: "array", items: text },
    },
    required: ["version", "command", "status", "tokens"],
    ...(definitions === undefined ? {} : { $defs: definitions }),
  };
}
