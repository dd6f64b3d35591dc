import { createRealSystem } from "../../core/index.ts";
import type { Topology } from "../../topology/index.ts";
import { type CommandIo, type CommandSpec, jsonFlag } from "../command.ts";
import type { DoctorCheck, Finding } from "../doctor/index.ts";
import { readTopology, topologyFlags, topologyPaths } from "../topologies/index.ts";

/** `agentrt doctor`. */
export const doctorCommand: CommandSpec = {
  words: ["doctor"],
  summary: "look for what would keep a topology from running, or from running well",
  arguments: [{ name: "path", summary: "the topology file", isOptional: true }],
  flags: [...topologyFlags, { name: "strict", summary: "exit 1 for a warning, too" }, jsonFlag],
  examples: [
    [
      "agentrt doctor topology.yaml",
      "looks at Node, ports, certificates, the state store and what is open to the network",
    ],
    ["agentrt doctor --strict --json", "the same for a script; exits 1 for a warning"],
  ],
  run: async (input, io) => {
    const paths = topologyPaths(input, "path");
    const { topology, problems, notes, mask, maskData } = await readTopology({ paths, input, io });
    const { formatProblem } = await import("../../topology/index.ts");
    const { checkNode } = await import("../doctor/index.ts");
    const findings: Finding[] = checkNode();
    const remedy = "agentrt topology validate lists all checks; with --load, of the code too";
    for (const problem of problems)
      findings.push({
        check: "topology",
        state: "failed",
        message: formatProblem(problem),
        remedy,
      });
    for (const note of notes)
      findings.push({ check: "topology", state: "warning", message: formatProblem(note), remedy });
    if (topology !== undefined) findings.push(...(await lookAt(topology, paths.join(" + "), io)));
    const masked = findings.map((finding) => maskData(finding) as Finding);
    const isHealthy = !masked.some(
      ({ state }) => state === "failed" || (state === "warning" && input.isSet("strict")),
    );
    if (input.isSet("json"))
      io.print(`${JSON.stringify({ healthy: isHealthy, findings: masked }, null, 2)}\n`);
    else io.print(mask(await render(masked, io)));
    return isHealthy ? 0 : 1;
  },
};

async function lookAt(topology: Topology, path: string, io: CommandIo): Promise<Finding[]> {
  const doctor = await import("../doctor/index.ts");
  const { askControl, controlUrl } = await import("../remote/index.ts");
  const listeners = doctor.listenerNodes(topology);
  const url = controlUrl(topology, "/health");
  const answer =
    url === undefined
      ? undefined
      : await askControl(url, { headers: new Headers(), timeoutMs: 1000 });
  const isRunning = answer !== undefined && answer.kind !== "failure";
  const ports = listeners.flatMap((listener) => listener.ports);
  const system = createRealSystem();
  const isPlural = listeners.length !== 1;
  return [
    {
      check: "topology",
      state: "ok",
      message: `${path} is valid, and ${listeners.length} ${isPlural ? "nodes listen" : "node listens"}`,
    },
    ...(await doctor.checkListeners(ports, { isRunning })),
    ...doctor.checkCertificates(listeners, system.nowMs()),
    ...(await doctor.checkState(topology, { environment: io.environment, isRunning })),
    ...doctor.checkNetwork(listeners),
    ...doctor.checkLimits({ hasListeners: listeners.length > 0 }),
  ];
}

const titles: { readonly [check in DoctorCheck]: string } = {
  node: "Node",
  topology: "Topology",
  listeners: "Listeners",
  certificates: "Certificates",
  state: "State",
  network: "Open to the network",
  limits: "Limits",
};

async function render(findings: readonly Finding[], { style }: CommandIo): Promise<string> {
  const { doctorChecks } = await import("../doctor/index.ts");
  const marks = { ok: style.green("✓"), warning: style.yellow("!"), failed: style.red("✗") };
  const lines: string[] = [];
  for (const check of doctorChecks) {
    const own = findings.filter((finding) => finding.check === check);
    if (own.length > 0) lines.push(style.bold(titles[check]));
    for (const { state, message, remedy } of own) {
      lines.push(`  ${marks[state]} ${message}`);
      if (remedy !== undefined && state !== "ok") lines.push(`      ${style.grey(remedy)}`);
    }
  }
  const count = (state: Finding["state"], noun: string): string => {
    const found = findings.filter((finding) => finding.state === state).length;
    return `${found} ${noun}${found === 1 ? "" : "s"}`;
  };
  lines.push("", `${count("failed", "fault")}, ${count("warning", "warning")}`);
  return `${lines.join("\n")}\n`;
}
