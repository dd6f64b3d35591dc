import { controlFlags } from "../control-flags.ts";
import type { CommandIo, CommandSpec, Style } from "../command.ts";
import {
  ageText,
  agentPath,
  awaitedText,
  durationText,
  momentText,
  numberIn,
  objectOf,
  objectsOf,
  openControl,
  pairsText,
  printJson,
  stackLines,
  statusColour,
  textIn,
  type WireObject,
} from "../watching/index.ts";
import { agentArgument } from "./operate.ts";

/** Lines of the history and of messages at hand that are shown. */
const historyLineCountMax = 20;
const atHandLineCountMax = 10;

/** `agentrt describe`. */
export const describeCommand: CommandSpec = {
  words: ["describe"],
  summary: "say what an agent of a running topology does, waits for, and went through",
  arguments: [agentArgument],
  flags: [...controlFlags],
  examples: [
    [
      "agentrt describe desk",
      "its status, who suspended it and why, message at hand, mailbox, last crash, history",
    ],
    ["agentrt describe ticket/4711 --json", "the same of a key, for a script"],
  ],
  run: async (input, io) => {
    const agent = input.argument("agent");
    const reader = await openControl(input, io);
    const path = agentPath(agent);
    const detail = objectOf(await reader.ask(path, { about: agent }));
    const { history } = objectOf(await reader.ask(`${path}/history`));
    const { timestamp } = objectOf(await reader.ask("/overview"));
    const { id } = objectOf(detail["last_crash"]);
    const crash =
      typeof id === "string" ? await reader.ask(`/crashes/${encodeURIComponent(id)}`) : null;
    if (input.isSet("json")) {
      printJson(io, { ...detail, history, crash });
      return 0;
    }
    const isWaiting = objectOf(detail["suspension"])["category"] === "hitl_approval";
    const query = `/approvals?status=pending&agent=${encodeURIComponent(agent.toWellFormed())}`;
    const approvals = isWaiting ? objectsOf(objectOf(await reader.ask(query))["approvals"]) : [];
    const shown = { detail, history, approvals, crash: objectOf(crash), now: numberIn(timestamp) };
    io.print(render(shown, io));
    return 0;
  },
};

interface Described {
  readonly detail: WireObject;
  readonly history: unknown;
  /** What it waits for. */
  readonly approvals: readonly WireObject[];
  readonly crash: WireObject;
  /** The clock of the process. */
  readonly now: number;
}

function render(
  { detail, history, approvals, crash, now }: Described,
  { style }: CommandIo,
): string {
  const status = textIn(detail["status"]);
  const mailbox = objectOf(detail["mailbox"]);
  const depth = numberIn(mailbox["depth"]);
  const oldest = ageText(mailbox["oldest_timestamp"], now);
  const lines = [
    `${style.bold(textIn(detail["name"]))}  ${textIn(detail["kind"])} of class ${textIn(detail["class"]) || "?"}`,
    `  status      ${statusColour(status, style)(status)}, up ${durationText(numberIn(detail["uptime_seconds"]))}, ${numberIn(detail["restart_count"])} restarts`,
    ...objectsOf(detail["listeners"]).map(listenerLine),
    ...suspensionLines(objectOf(detail["suspension"]), now),
    ...drainLines(detail, now),
    ...approvals.slice(0, atHandLineCountMax).map(approvalLine),
    ...atHandLines(objectsOf(detail["at_hand"]), now),
    ...storeLines(detail),
    ...awaitedLines(objectOf(detail["waits_for"]), now),
    `  mailbox     ${depth === 0 ? "nothing waits" : `${depth} wait, the oldest for ${oldest}`}`,
    ...crashLines(crash, { now, style }),
    ...historyLines(objectsOf(history)),
  ];
  return `${lines.join("\n")}\n`;
}

function suspensionLines(suspension: WireObject, now: number): string[] {
  const { reason, category, since, initiated_by: by, drained, durable, halted } = suspension;
  if (reason === undefined) return [];
  const notes = [
    textIn(category),
    drained === true ? "drained" : "",
    durable === false ? "does not survive the process" : "",
  ].filter((note) => note !== "");
  const who = textIn(by) === "" ? "" : ` by ${textIn(by)}`;
  return [
    `  ${halted === true ? "halted   " : "suspended"}  ${who} ${ageText(since, now)} ago: ${textIn(reason)} (${notes.join(", ")})`,
  ];
}

function listenerLine({ protocol, host, port }: WireObject): string {
  const address = textIn(host);
  const shown = address.includes(":") ? `[${address}]` : address;
  return `  listens     ${textIn(protocol)} on ${shown}:${numberIn(port)}`;
}

/** One that sends itself messages may never come to the end of its drain. */
function drainLines(detail: WireObject, now: number): string[] {
  const { reason, initiated_by: by, since } = objectOf(detail["draining"]);
  if (reason === undefined) return [];
  const name = textIn(detail["name"]);
  const isOwn = objectsOf(detail["at_hand"]).some(({ sender }) => textIn(sender) === name);
  const more = isOwn
    ? [
        `              it sends itself messages, and handles them too: agentrt suspend ${name} ends that`,
      ]
    : [];
  return [
    `  draining    by ${textIn(by)} for ${ageText(since, now)}: ${textIn(reason)}; takes nothing new, finishes what it has`,
    ...more,
  ];
}

function storeLines(detail: WireObject): string[] {
  if (detail["waits_for_state"] !== true) return [];
  return ["  waits for   the state store, which has not answered yet: agentrt doctor"];
}

function awaitedLines(awaited: WireObject, now: number): string[] {
  if (awaited["since"] === undefined) return [];
  return [
    `  waits for   the answer of ${awaitedText(awaited)}, for ${ageText(awaited["since"], now)}`,
  ];
}

function approvalLine({ id, kind }: WireObject): string {
  return `  waits for   approval of a ${textIn(kind)}: agentrt approvals show ${textIn(id)}, then approve or deny`;
}

function atHandLines(messages: readonly WireObject[], now: number): string[] {
  if (messages.length === 0) return ["  at hand     nothing"];
  return messages.slice(0, atHandLineCountMax).map((message) => {
    const sender = textIn(message["sender"]) || "outside";
    const ids = `id ${textIn(message["id"])}, trace ${textIn(message["trace_id"])}`;
    return `  at hand     ${textIn(message["type"])} from ${sender}, for ${ageText(message["since"], now)}; ${ids}`;
  });
}

function crashLines(
  crash: WireObject,
  { now, style }: { readonly now: number; readonly style: Style },
): string[] {
  const error = objectOf(crash["error"]);
  if (error["name"] === undefined) return [];
  const shown = ({ name, message, at }: WireObject): string => {
    const place = textIn(at);
    return `${textIn(name)}: ${textIn(message)}${place === "" ? "" : ` at ${place}`}`;
  };
  return [
    `  last crash  ${ageText(crash["timestamp"], now)} ago: ${style.red(shown(error))}`,
    ...objectsOf(error["causes"]).map((cause) => `    because of ${shown(cause)}`),
    ...stackLines(error).map((line) => `    ${style.grey(line)}`),
  ];
}

function historyLines(entries: readonly WireObject[]): string[] {
  if (entries.length === 0) return [];
  const shown = entries.slice(-historyLineCountMax).map((entry) => {
    const { event, timestamp, ...rest } = entry;
    return `    ${momentText(timestamp)}  ${textIn(event)}  ${pairsText(rest)}`.trimEnd();
  });
  return ["  history", ...shown];
}
