import process from "node:process";
import type { CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { headerFlag, parseHeaders } from "../headers.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { loadRunningTopology, topologyFlags, topologyPaths } from "../topologies/index.ts";

/** `agentrt mcp`. */
export const mcpCommand: CommandSpec = {
  words: ["mcp"],
  summary: "serve a running topology to an assistant, as tools over stdin and stdout (MCP)",
  flags: [
    ...topologyFlags,
    headerFlag,
    { name: "allow-writes", summary: "offer tools that change something, too" },
    { name: "timeout", value: "seconds", summary: "longest wait for an answer", default: "30" },
  ],
  examples: [
    ["agentrt mcp", "serves what the control plane of ./topology.yaml shows"],
    [
      'agentrt mcp -t demo/topology.yaml --allow-writes -H "X-API-Key: …"',
      "lets the assistant restart, suspend, resume and call agents, too",
    ],
  ],
  run: async (input, io) => {
    const headers = parseHeaders(input.texts("header"));
    const timeoutMs = parseTimeout(input.text("timeout") ?? "30", "mcp");
    const { controlUrl } = await import("../remote/index.ts");
    const paths = topologyPaths(input);
    const { topology } = await loadRunningTopology({ paths, input, io });
    if (controlUrl(topology, "/") === undefined)
      throw new cliErrors.NO_CONTROL_PLANE({ path: paths.join(" + ") });
    const { serveControl } = await import("../mcp/index.ts");
    io.endAtReturn();
    await serveControl({
      topology,
      headers,
      timeoutMs,
      hasWrites: input.isSet("allow-writes"),
      input: process.stdin,
      output: process.stdout,
      tell: io.tell,
    });
    return 0;
  },
};
