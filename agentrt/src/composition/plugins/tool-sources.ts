import type { ToolSource } from "../../core/index.ts";
import { McpToolSource, type McpProgram, type McpUrl } from "../../tools/index.ts";
import type { ToolServerSettings, Topology } from "../../topology/index.ts";
import { compositionErrors } from "../../node-kinds/index.ts";

/** What tool servers need of the world. */
export interface ToolSourcesOptions {
  readonly environment: { readonly [name: string]: string | undefined };
  /** Where programs run: the topology's folder. */
  readonly directory: string;
}

/**
 * Makes the tool servers that a topology names; nothing is started yet.
 *
 * @param topology Its `mcp.servers`, checked when the file was read.
 * @param options The environment their secrets come from, and where programs run.
 * @returns The servers, in the file's order.
 * @throws AGENTRT_COMPOSITION_VARIABLE_MISSING when an environment variable that a server needs is not set.
 */
export function toolSourcesOf(topology: Topology, options: ToolSourcesOptions): ToolSource[] {
  return topology.toolServers.map((entry) => {
    const variable = (name: string): string => {
      const value = options.environment[name];
      if (value !== undefined && value !== "") return value;
      throw new compositionErrors.VARIABLE_MISSING({
        at: topology.fileName,
        owner: `tool server "${entry.name}"`,
        variable: name,
      });
    };
    const { transport = "stdio", timeout } = entry;
    const address =
      transport === "stdio"
        ? programOf(entry, { variable, directory: options.directory })
        : urlOf(entry, { variable, transport });
    const connectTimeoutMs = timeout === undefined ? undefined : Math.max(1, timeout * 1000);
    return new McpToolSource({ name: entry.name, address, connectTimeoutMs });
  });
}

function programOf(
  { command = "", args, env, env_from: passed = [] }: ToolServerSettings,
  { variable, directory }: { variable: (name: string) => string; directory: string },
): McpProgram {
  const environment = {
    ...env,
    ...Object.fromEntries(passed.map((name) => [name, variable(name)])),
  };
  return { transport: "stdio", command, args, environment, directory };
}

function urlOf(
  { url = "", headers_from: from = {} }: ToolServerSettings,
  { variable, transport }: { variable: (name: string) => string; transport: "http" | "sse" },
): McpUrl {
  const headers = Object.fromEntries(
    Object.entries(from).map(([header, name]) => [header, variable(name)]),
  );
  return { transport, url, headers };
}
