import { type CommandSpec, type FlagSpec, jsonFlag } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { loadTopology, topologyFlags, topologyPaths } from "../topologies/index.ts";

const linesFlag: FlagSpec = {
  name: "lines",
  short: "n",
  value: "count",
  summary: "how many of the last records are shown",
  default: "20",
};

/** `agentrt audit tail`. */
export const auditTailCommand: CommandSpec = {
  words: ["audit", "tail"],
  summary: "show the last records of an audit log",
  arguments: [
    { name: "file", summary: "the file; default that of the topology", isOptional: true },
  ],
  flags: [
    ...topologyFlags,
    linesFlag,
    { name: "follow", summary: "go on with each new record, over rotations, until Ctrl+C" },
    jsonFlag,
  ],
  examples: [
    ["agentrt audit tail", "shows the last 20 records of ./topology.yaml"],
    ["agentrt audit tail agentrt_audit.jsonl --follow --json", "prints lines as they are"],
  ],
  run: async (input, io) => {
    const { AuditReader, recordText } = await import("../audits/index.ts");
    const [given] = input.arguments("file");
    let file = given;
    if (file === undefined) {
      const { auditPathOf } = await import("../../composition/index.ts");
      const { topology } = await loadTopology({ paths: topologyPaths(input), input, io });
      file = auditPathOf(topology);
    }
    const count = Number(input.text("lines"));
    if (!Number.isSafeInteger(count) || count < 0)
      throw new cliErrors.USAGE({
        reason: "--lines wants a whole number of 0 or more",
        help: "agentrt audit tail --help",
      });
    const isRaw = input.isSet("json");
    const show = (lines: readonly string[]): void => {
      for (const line of lines) io.print(`${isRaw ? line : recordText(line)}\n`);
    };
    const isFollowed = input.isSet("follow");
    const reader = new AuditReader(file);
    const first = reader.read();
    if (first === undefined && !isFollowed)
      throw new cliErrors.AUDIT_UNREADABLE({ file, reason: "there is no such file" });
    show(first === undefined || count === 0 ? [] : first.slice(-count));
    if (!isFollowed) return 0;
    await reader.follow(show);
    return 0;
  },
};
