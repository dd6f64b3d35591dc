import {
  budgetFlag,
  type CommandDefinition,
  commandTable,
  type FlagDefinition,
} from "../commands/index.ts";
import { answerSchemaOf } from "./envelope-schema.ts";
import { schemaOf } from "./tool-schema.ts";

/** Commands that are not tools: one writes the configuration of clients, the other measures this program. */
const leftOut: ReadonlySet<string> = new Set(["init", "bench-ndcg"]);

/** A command as a tool. */
export interface Tool {
  readonly definition: CommandDefinition;
  /** Flags that a client may give: one that asks for many answers is not among them. */
  readonly flags: readonly FlagDefinition[];
}

/**
 * The commands that are tools.
 *
 * @param mayRun False where no client may start programs.
 */
export function toolsOf({ mayRun }: { readonly mayRun: boolean }): readonly Tool[] {
  return commandTable
    .filter(({ name }) => !leftOut.has(name) && (mayRun || name !== "run"))
    .map((definition) => ({
      definition,
      flags: [...definition.flags.filter(({ name }) => name !== "watch"), budgetFlag],
    }));
}

/** A tool as `tools/list` says it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly [keyword: string]: unknown; readonly type: "object" };
  readonly outputSchema: { readonly [keyword: string]: unknown; readonly type: "object" };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** Makes what `tools/list` says of a tool. */
export async function listedTool({ definition, flags }: Tool): Promise<ListedTool> {
  const { name, summary } = definition;
  // A program may do anything, and not only here.
  const isProgram = name === "run";
  const isWriting = isProgram || definition.isWriting === true;
  return {
    name,
    title: `codetool ${name}`,
    description: summary,
    inputSchema: { ...schemaOf({ ...definition, flags }, []) },
    outputSchema: await answerSchemaOf(definition),
    annotations: {
      readOnlyHint: !isWriting && name !== "index",
      destructiveHint: isWriting,
      // An index that is up to date is left as it is; an edit that was applied does not find its text again.
      idempotentHint: !isWriting,
      openWorldHint: isProgram,
    },
  };
}
