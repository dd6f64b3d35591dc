import { printable } from "../../core/index.ts";
import { type CommandSpec, jsonFlag } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { parseHeaders } from "../headers.ts";
import { loadTopology, topologyFlags, topologyPaths } from "../topologies/index.ts";

const timeoutMs = 5000;

/** `agentrt dead-letters`. */
export const deadLettersCommand: CommandSpec = {
  words: ["dead-letters"],
  summary: "list the messages of a running topology that nobody handled",
  flags: [
    ...topologyFlags,
    {
      name: "header",
      short: "H",
      value: "Name: Value",
      summary: "header to send",
      isRepeatable: true,
    },
    jsonFlag,
  ],
  examples: [
    [
      "agentrt dead-letters",
      "lists the latest 1000 of ./topology.yaml, oldest first, and counts all",
    ],
    ["agentrt dead-letters -t demo/topology.yaml --json", "the same for a script"],
  ],
  run: async (input, io) => {
    const headers = parseHeaders(input.texts("header"));
    const { askControl, controlUrl } = await import("../remote/index.ts");
    const paths = topologyPaths(input);
    const { topology } = await loadTopology({ paths, input, io });
    const url = controlUrl(topology, "/dead-letters");
    if (url === undefined) throw new cliErrors.NO_CONTROL_PLANE({ path: paths.join(" + ") });
    const answer = await askControl(url, { headers, timeoutMs });
    if (answer.kind === "status")
      throw new cliErrors.CONTROL_UNREACHABLE({ url, reason: `HTTP status ${answer.status}` });
    if (answer.kind === "failure")
      throw new cliErrors.CONTROL_UNREACHABLE({ url, reason: answer.reason });
    const { body } = answer;
    if (!isLetters(body))
      throw new cliErrors.CONTROL_UNREACHABLE({
        url,
        reason: "its answer is not a list of messages",
      });
    if (input.isSet("json")) {
      io.print(`${printable(JSON.stringify(body, null, 2), Number.POSITIVE_INFINITY)}\n`);
    } else io.print(render(body));
    return 0;
  },
};

interface Letters {
  readonly counts: { readonly [reason: string]: unknown };
  readonly dead_letters: readonly { readonly [name: string]: unknown }[];
}

function isLetters(body: unknown): body is Letters {
  if (typeof body !== "object" || body === null) return false;
  const { counts, dead_letters: letters } = body as { counts?: unknown; dead_letters?: unknown };
  const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
  return isObject(counts) && Array.isArray(letters) && letters.every(isObject);
}

/** What answers may be any server: nothing in it commands a terminal. */
function render({ counts, dead_letters: letters }: Letters): string {
  const lines = letters.map((letter) => {
    const text = (name: string): string => {
      const value = letter[name];
      return typeof value === "string" ? printable(value) : "";
    };
    const seconds = Number(letter["timestamp"]);
    const date = Number.isFinite(seconds) ? new Date(seconds * 1000).toISOString() : "?";
    const sender = text("sender") === "" ? "outside" : text("sender");
    return `${date}  ${text("reason").padEnd(8)} ${sender} -> ${text("recipient")}  ${text("type")}  ${text("id")}`;
  });
  const total = Object.entries(counts)
    .filter(([, count]) => count !== 0)
    .map(([reason, count]) => `${printable(reason)} ${printable(String(count))}`);
  const summary =
    total.length === 0 ? "no message was lost" : `since the start: ${total.join(" · ")}`;
  return `${[...lines.map((line) => line.trimEnd()), summary].join("\n")}\n`;
}
