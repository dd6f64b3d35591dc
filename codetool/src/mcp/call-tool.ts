import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import {
  type CommandContext,
  envelopeLine,
  executeCommand,
  unknownCommand,
} from "../commands/index.ts";
import { CommandError, type Outcome } from "../envelope/index.ts";
import type { PathGuard } from "./path-guard.ts";
import type { Tool } from "./tools.ts";
import { RequestRefused } from "./request-refused.ts";

/** Arguments of a call, before any check. */
type Given = { readonly [name: string]: unknown };

/**
 * Runs a tool for a client.
 *
 * @param call.tools Those that the client may call.
 * @returns The envelope, as text and as structured content.
 * @throws RequestRefused for a name that no tool has.
 */
export async function callTool(call: {
  readonly name: string;
  readonly given: Given;
  readonly tools: readonly Tool[];
  readonly guard: PathGuard;
  readonly context: CommandContext;
}): Promise<CallToolResult> {
  const { name, given, tools } = call;
  const tool = tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) {
    const names = tools.map(({ definition }) => definition.name);
    throw new RequestRefused(unknownCommand(name, names).message);
  }
  const outcome = await outcomeOf(tool, call);
  const hasBudget = typeof given["budget"] === "number";
  const text = await envelopeLine({ command: name, outcome, hasBudget });
  return {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text) as { [key: string]: unknown },
    isError: "error" in outcome,
  };
}

/** @returns True for a call that must not run while another one does. */
export function isAlone({ definition }: Tool): boolean {
  return definition.isWriting === true;
}

async function outcomeOf(
  { definition, flags }: Tool,
  {
    given,
    guard,
    context,
  }: { readonly given: Given; readonly guard: PathGuard; readonly context: CommandContext },
): Promise<Outcome> {
  try {
    const input: { [name: string]: unknown } = { ...given };
    for (const { name, aliases = [], isRequired, isPath } of definition.positionals) {
      if (isPath !== true) continue;
      const spelling = [name, ...aliases].find((each) => input[each] !== undefined);
      if (spelling === undefined && isRequired) continue;
      const path = spelling === undefined ? "." : input[spelling];
      checkPaths(path, guard);
      input[spelling ?? name] = path;
    }
    for (const { name, isPath } of flags) if (isPath === true) checkPaths(input[name], guard);
    // What answers many times has no answer here.
    const isStreamed = input["watch"] !== undefined && definition.name === "index";
    if (isStreamed) delete input["watch"];
    return await executeCommand(definition, input, {
      ...context,
      workingDirectory: guard.workingDirectory ?? context.workingDirectory,
      mayShow: (absolutePath) => guard.contains(absolutePath),
      // Another program would not keep to the client's folders.
      isFallbackOff: true,
    });
  } catch (error) {
    if (error instanceof CommandError) return { error };
    throw error;
  }
}

/** What is not a path is refused by the command. */
function checkPaths(given: unknown, guard: PathGuard): void {
  for (const each of Array.isArray(given) ? (given as unknown[]) : [given])
    if (typeof each === "string") guard.check(each);
}
