import { basename, extname } from "node:path";
import process from "node:process";
import { cliErrors } from "../errors.ts";
import { type CommandSpec, jsonFlag } from "../command.ts";
import { headerFlag, parseHeaders } from "../headers.ts";
import { environmentFlags, loadRunningTopology } from "../topologies/index.ts";

/** `agentrt dashboard`. */
export const dashboardCommand: CommandSpec = {
  words: ["dashboard"],
  summary: "watch running topologies in the terminal, and operate their agents",
  arguments: [
    {
      name: "topologies",
      summary: "the topology files, each with a topology server",
      isVariadic: true,
    },
  ],
  flags: [
    { name: "refresh", short: "r", value: "seconds", summary: "between two polls", default: "1.0" },
    headerFlag,
    ...environmentFlags,
    { name: "once", summary: "print one picture and end" },
    { name: "plain", summary: "tell changes in lines: for screen readers, and without a terminal" },
    jsonFlag,
  ],
  examples: [
    ["agentrt dashboard topology.yaml", "the tree, an agent in detail, and the processes"],
    ["agentrt dashboard a.yaml b.yaml -H 'X-API-Key: …'", "two topologies, one tab each"],
    ["agentrt dashboard topology.yaml --once --json", "what it knows, for a script"],
  ],
  run: async (input, io) => {
    const refreshSeconds = Number(input.text("refresh"));
    if (!(refreshSeconds >= 0.1 && refreshSeconds <= 3600))
      throw usage("--refresh must be a number of seconds from 0.1 to 3600");
    const files = input.arguments("topologies");
    const isOnce = input.isSet("once") || input.isSet("json");
    const headers = parseHeaders(input.texts("header"));
    const { controlUrl } = await import("../remote/index.ts");
    const { printOnce, runDashboard, runPlain, Tab } = await import("../dashboard/index.ts");
    const sources = [];
    for (const file of files) {
      const { topology } = await loadRunningTopology({ paths: [file], input, io });
      const url = (route: string): string => {
        const found = controlUrl(topology, route);
        if (found === undefined) throw new cliErrors.NO_CONTROL_PLANE({ path: file });
        return found;
      };
      const tab = new Tab(basename(file, extname(file)), new URL(url("/topology")).origin);
      sources.push({ tab, headers, url });
    }
    const run = { sources, refreshSeconds };
    if (isOnce) return await printOnce(run, io, input.isSet("json"));
    if (input.isSet("plain") || !process.stdout.isTTY) return await runPlain(run, io);
    const { missingScreen } = await import("../../terminal/index.ts");
    const install = missingScreen();
    if (install !== undefined)
      throw new cliErrors.VIEW_NOT_INSTALLED({ view: "dashboard", install });
    return await runDashboard(run, io);
  },
};

function usage(reason: string): Error {
  return new cliErrors.USAGE({ reason, help: "agentrt dashboard --help" });
}
