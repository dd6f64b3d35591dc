import { agreedName } from "./model-tool-name.ts";
import { toolErrors } from "./errors.ts";
import type { SourceTool, ToolSource } from "./tool-source.ts";

/** One tool with the source it comes from. */
export interface KnownTool {
  readonly source: ToolSource;
  readonly tool: SourceTool;
  /** For example `mcp://files/read`. */
  readonly name: string;
  /** The same in letters, digits, dashes and underscores, as models want it. */
  readonly modelName: string;
}

/** The tools of a runtime, over all of their sources. */
export class ToolSet {
  #sources: readonly ToolSource[];

  /**
   * @param sources Where tools come from.
   * @throws AGENTRT_TOOL_DUPLICATE_SOURCE when two share a name.
   */
  constructor(sources: readonly ToolSource[]) {
    refuseTwins(sources);
    this.#sources = sources;
  }

  get sources(): readonly ToolSource[] {
    return this.#sources;
  }

  /**
   * Offers the tools of other sources from now on.
   *
   * @throws AGENTRT_TOOL_DUPLICATE_SOURCE when two share a name.
   */
  replace(sources: readonly ToolSource[]): void {
    refuseTwins(sources);
    this.#sources = sources;
  }

  /** @returns What is offered now, source by source. */
  list(): KnownTool[] {
    const taken = new Set<string>();
    return this.sources.flatMap((source) =>
      source.tools().map((tool) => {
        const modelName = agreedName(source.name, { tool: tool.name, taken });
        taken.add(modelName);
        return { source, tool, name: `${source.scheme}://${source.name}/${tool.name}`, modelName };
      }),
    );
  }

  /**
   * Finds a tool.
   *
   * @param name Its full name, or the name a model has for it.
   * @returns The tool; one of a source that lists none, because nothing reached it yet, is taken for granted when its
   *   full name is given, so that a call can try.
   */
  find(name: string): KnownTool | undefined {
    const all = this.list();
    return (
      all.find((known) => known.name === name) ??
      all.find((known) => known.modelName === name) ??
      this.#granted(name)
    );
  }

  #granted(name: string): KnownTool | undefined {
    for (const source of this.sources) {
      const start = `${source.scheme}://${source.name}/`;
      if (!name.startsWith(start) || source.tools().length > 0) continue;
      const tool = { name: name.slice(start.length), inputSchema: {} };
      return { source, tool, name, modelName: name };
    }
    return undefined;
  }
}

function refuseTwins(sources: readonly ToolSource[]): void {
  const names = new Set<string>();
  for (const { name } of sources) {
    if (names.has(name)) throw new toolErrors.DUPLICATE_SOURCE({ name });
    names.add(name);
  }
}
