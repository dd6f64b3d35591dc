import { type CommandSpec, jsonFlag } from "../command.ts";
import { parseHeaders } from "../headers.ts";
import { loadTopology, topologyFlags, topologyPaths } from "../topologies/index.ts";

/** `agentrt topology show`. */
export const topologyShowCommand: CommandSpec = {
  words: ["topology", "show"],
  summary: "draw the supervision tree of a topology file, live when it runs",
  arguments: [{ name: "path", summary: "the topology file", isOptional: true }],
  flags: [
    ...topologyFlags,
    {
      name: "header",
      short: "H",
      value: "Name: Value",
      summary: "send this header with the live query; may be given several times",
      isRepeatable: true,
    },
    { name: "watch", summary: "draw it again each second, until Ctrl+C" },
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
    [
      "agentrt topology show base.yaml -t production.yaml",
      "draws what comes of a file with another one laid over it",
    ],
  ],
  run: async (input, io) => {
    const [
      { printTopology, renderFooter, renderTopology },
      { nodeKinds },
      { compareNames, controlUrl, fetchLiveTopology, renderLiveCircuits, renderLiveTopology },
    ] = await Promise.all([
      import("../../topology/index.ts"),
      import("../../node-kinds/index.ts"),
      import("../remote/index.ts"),
    ]);
    const headers = parseHeaders(input.texts("header"));
    const paths = topologyPaths(input, "path");
    const { topology, mask, maskData } = await loadTopology({ paths, input, io });
    const url = controlUrl(topology, "/topology");
    const fetchLive = async () =>
      (url === undefined ? undefined : await fetchLiveTopology(url, headers)) ?? {
        root: undefined,
        circuits: [],
      };
    const draw = ({ root, circuits }: Awaited<ReturnType<typeof fetchLive>>): string => {
      if (root === undefined) {
        const annotation = url === undefined ? {} : { annotation: "runtime not running" };
        return mask(renderTopology(topology, { kinds: nodeKinds, ...annotation }));
      }
      const footer = renderFooter(topology, nodeKinds);
      const drawn = `${renderLiveTopology(root, io.style)}\n${renderLiveCircuits(circuits, io.style)}`;
      return mask(`${drawn}${footer}`);
    };
    const live = await fetchLive();
    const { root, circuits } = live;
    if (root !== undefined) {
      const { missing, foreign } = compareNames(topology, nodeKinds, root);
      if (missing.length > 0) io.tell(`note: not in the running tree: ${missing.join(", ")}`);
      if (foreign.length > 0) io.tell(`note: not in this file: ${foreign.join(", ")}`);
      if (missing.length + foreign.length > 0)
        io.tell(
          `note: what answers at ${url} runs another topology, or an earlier state of this file`,
        );
      else if (await hasOtherSettings(controlUrl(topology, "/plan"), paths, headers))
        io.tell(
          `note: it runs with other settings than this file: agentrt topology plan ${paths[0]} lists them`,
        );
    }
    if (input.isSet("json")) {
      const running = { live: root ?? null, ...(circuits.length === 0 ? {} : { circuits }) };
      const printed = { ...printTopology(topology, nodeKinds), ...running };
      io.print(`${JSON.stringify(maskData(printed), null, 2)}\n`);
    } else if (input.isSet("watch")) {
      const { repaint } = await import("../watching/index.ts");
      return await repaint(io, { intervalMs: 1000, draw: async () => draw(await fetchLive()) });
    } else io.print(draw(live));
    return 0;
  },
};

/** Asks what runs whether the files would change it. Who may not ask that, or finds nobody who knows, sees no difference. */
async function hasOtherSettings(
  url: string | undefined,
  paths: readonly string[],
  headers: Headers,
): Promise<boolean> {
  const [{ askControl, isLivePlan }, { readTopologyText }] = await Promise.all([
    import("../remote/index.ts"),
    import("../../topology/index.ts"),
  ]);
  if (url === undefined) return false;
  const files = paths.map((path) => ({ name: path, topology: readTopologyText(path) }));
  const answer = await askControl(url, { headers, timeoutMs: 1000, body: { files } });
  if (answer.kind !== "body" || !isLivePlan(answer.body)) return false;
  return answer.body.changes || answer.body.needs_restart.length > 0;
}
