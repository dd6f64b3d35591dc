import { type CommandSpec, jsonFlag } from "../command.ts";
import { parseHeaders } from "../headers.ts";

/** `agentrt topology show`. */
export const topologyShowCommand: CommandSpec = {
  words: ["topology", "show"],
  summary: "draw the supervision tree of a topology file, live when it runs",
  arguments: [{ name: "path", summary: "the topology file" }],
  flags: [
    {
      name: "header",
      short: "H",
      value: "Name: Value",
      summary: "send this header with the live query; may be given several times",
      isRepeatable: true,
    },
    jsonFlag,
  ],
  examples: [
    [
      "agentrt topology show topology.yaml",
      "draws the tree; with a topology_server that answers, statuses too",
    ],
    [
      "agentrt topology show topology.yaml -H 'X-API-Key: secret'",
      "asks a control plane that wants a key",
    ],
  ],
  run: async (input, io) => {
    const [
      { loadTopologyFile, printTopology, renderFooter, renderTopology },
      { nodeKinds },
      { controlUrl, fetchLiveTopology, renderLiveTopology },
    ] = await Promise.all([
      import("../../topology/index.ts"),
      import("../../node-kinds/index.ts"),
      import("../remote/index.ts"),
    ]);
    const headers = parseHeaders(input.texts("header"));
    const { topology } = loadTopologyFile(input.argument("path"), {
      kinds: nodeKinds,
    });
    const url = controlUrl(topology, "/topology");
    const root = url === undefined ? undefined : await fetchLiveTopology(url, headers);
    if (input.isSet("json")) {
      const printed = { ...printTopology(topology, nodeKinds), live: root ?? null };
      io.print(`${JSON.stringify(printed, null, 2)}\n`);
    } else if (root === undefined) {
      const annotation = url === undefined ? {} : { annotation: "runtime not running" };
      io.print(renderTopology(topology, { kinds: nodeKinds, ...annotation }));
    } else {
      const footer = renderFooter(topology, nodeKinds);
      io.print(`${renderLiveTopology(root, io.style)}\n${footer}`);
    }
    return 0;
  },
};
