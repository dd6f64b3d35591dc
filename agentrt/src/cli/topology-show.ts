import { type CommandSpec, jsonFlag } from "./command.ts";

/** `agentrt topology show`. */
export const topologyShowCommand: CommandSpec = {
  words: ["topology", "show"],
  summary: "draw the supervision tree of a topology file",
  arguments: [{ name: "path", summary: "the topology file" }],
  flags: [jsonFlag],
  examples: [
    [
      "agentrt topology show topology.yaml",
      "draws the tree with strategies, classes and addresses",
    ],
  ],
  run: async (input, io) => {
    const path = input.argument("path");
    const [{ loadTopologyFile, renderTopology, walkTree }, { nodeKinds }] = await Promise.all([
      import("../topology/index.ts"),
      import("../composition/node-kinds.ts"),
    ]);
    const { topology } = loadTopologyFile(path, { kinds: nodeKinds });
    const hasServer = [...walkTree(topology.supervision)].some(
      (node) => node.kind === "topology_server",
    );
    io.print(
      renderTopology(topology, {
        kinds: nodeKinds,
        ...(hasServer ? { annotation: "runtime not running" } : {}),
      }),
    );
    return 0;
  },
};
