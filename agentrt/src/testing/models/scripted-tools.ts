import type { JsonObject, SourceResult, ToolSource } from "../../core/index.ts";

/** One tool that a test or a simulation offers. */
export interface ScriptedTool {
  readonly description?: string | undefined;
  /** JSON Schema of the arguments; default any object. */
  readonly inputSchema?: JsonObject | undefined;
  /** Answers: a text, or a whole result. What it throws tells the agent that the tool failed. */
  readonly run: (input: JsonObject) => string | SourceResult | PromiseLike<string | SourceResult>;
}

/** Tools by name. */
export type ToolScript = { readonly [name: string]: ScriptedTool };

/**
 * Makes a source of tools that answer by functions.
 *
 * @example
 * const tools = [scriptedTools("files", { read: { run: ({ path }) => `the text of ${path}` } })];
 *
 * @param name The server that it stands for: agents know its tools as `mcp://<name>/<tool>`.
 * @param script The tools.
 * @returns The source.
 */
export function scriptedTools(name: string, script: ToolScript): ToolSource {
  return {
    name,
    scheme: "mcp",
    tools: () =>
      Object.entries(script).map(([tool, { description, inputSchema = { type: "object" } }]) => ({
        name: tool,
        description,
        inputSchema,
      })),
    call: async (tool, input) => {
      try {
        const result = await script[tool]?.run(input);
        if (result === undefined) throw new Error(`there is no tool "${tool}"`);
        return typeof result === "string" ? { content: result, isError: false } : result;
      } catch (error) {
        return { content: error instanceof Error ? error.message : String(error), isError: true };
      }
    },
  };
}
