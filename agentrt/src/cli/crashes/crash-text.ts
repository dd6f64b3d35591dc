import { printable } from "../../core/index.ts";
import type { BundleAnswer, BundleState, CrashBundle } from "../../crashes/index.ts";
import { safeJson } from "../safe-json.ts";

const textLengthMax = 1000;

/**
 * Writes the record of a crash for people.
 *
 * @param bundle The record.
 * @param repeat The command line that replays it; undefined for none.
 * @returns Lines that a terminal can show.
 */
export function crashText(bundle: CrashBundle, repeat: string | undefined): string {
  const { id, agent, class: className, timestamp, versions, error } = bundle;
  const code = error.code === null ? "" : ` (${error.code})`;
  const lines = [
    `crash ${id}`,
    `agent ${agent}${className === null ? "" : ` (${className})`}, ${new Date(timestamp * 1000).toISOString()}`,
    `agentrt ${versions.agentrt}, Node ${versions.node}, ${versions.platform}`,
    "",
    `${error.name}: ${error.message}${code}`,
    ...(error.at === null ? [] : [`at ${error.at}`]),
    ...error.causes.map(({ name, message }) => `caused by ${name}: ${message}`),
    ...bundle.source
      .slice(0, 1)
      .flatMap(({ line: at, lines: around }) => [
        "",
        ...around.map(
          ({ line, text }) => `${line === at ? ">" : " "} ${String(line).padStart(5)} ${text}`,
        ),
      ]),
    ...messageLines(bundle),
    "",
    `saved before  ${stateText(bundle.checkpoint.before)}`,
    `saved after   ${stateText(bundle.checkpoint.after)}`,
    ...(bundle.state === null ? [] : [`at the crash  ${short(bundle.state)}`]),
    ...(bundle.answers.length === 0 ? [] : ["", "answers since that checkpoint"]),
    ...bundle.answers.map(answerText),
    ...(bundle.spans.length === 0 ? [] : ["", `${bundle.spans.length} spans; --json shows them`]),
    "",
    ...replayLines(bundle, repeat),
  ];
  return `${lines.map((line) => printable(line, textLengthMax)).join("\n")}\n`;
}

function messageLines({ message, messages }: CrashBundle): string[] {
  const from = (sender: string): string => (sender === "" ? "outside" : sender);
  const shown =
    message === null
      ? ["", "no message was at hand"]
      : [
          "",
          `message ${message.type} from ${from(message.sender)} (${message.verb}) ${short(message.payload)}`,
        ];
  const before = messages.filter(({ id }) => id !== message?.id);
  if (before.length === 0) return shown;
  return [
    ...shown,
    "",
    "messages before it, since that checkpoint",
    ...before.map(
      ({ sequence, type, sender, verb, payload }) =>
        `  ${sequence} ${type} from ${from(sender)} (${verb}) ${short(payload)}`,
    ),
  ];
}

function answerText({ kind, name, reply, error, took_ms: tookMs }: BundleAnswer): string {
  const end = error === undefined ? short(reply ?? {}) : `failed: ${error.name}: ${error.message}`;
  return `  ${kind} ${name}, ${Math.round(tookMs)} ms: ${end}`;
}

function stateText({ state, too_large: isLarge }: BundleState): string {
  if (isLarge === true) return "too large to be kept";
  return state === null ? "nothing" : short(state);
}

function replayLines({ replay }: CrashBundle, repeat: string | undefined): string[] {
  if (repeat === undefined) return ["it cannot be replayed: its topology is not a file here"];
  const limits = replay.holds
    ? []
    : ["what may differ when it is replayed:", ...replay.reasons.map((reason) => `  ${reason}`)];
  return [...limits, `repeat it: ${repeat}`];
}

function short(value: object): string {
  const text = safeJson(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}
