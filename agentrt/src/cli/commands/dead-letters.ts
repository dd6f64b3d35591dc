import { controlFlags } from "../control-flags.ts";
import { printable } from "../../core/index.ts";
import type { CommandInput, CommandIo, CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { type ControlReader, objectOf, openControl, printJson, textIn } from "../watching/index.ts";

/** `agentrt dead-letters`. */
export const deadLettersCommand: CommandSpec = {
  words: ["dead-letters"],
  summary: "list the messages of a running topology that nobody handled",
  flags: [
    {
      name: "replay",
      value: "id",
      summary:
        "send this message again, once; the topology must keep payloads (dead_letter_payloads)",
    },
    ...controlFlags,
  ],
  examples: [
    [
      "agentrt dead-letters",
      "lists the latest 1000 of ./topology.yaml, oldest first, and counts all",
    ],
    ["agentrt dead-letters --replay 019a…", "sends one of them again, to the same agent"],
    ["agentrt dead-letters -t demo/topology.yaml --json", "the same for a script"],
  ],
  run: async (input, io) => {
    const reader = await openControl(input, io);
    const replayed = input.text("replay");
    if (replayed !== undefined) return await replay(reader, replayed, { input, io });
    const route = "/dead-letters";
    const url = reader.url(route);
    const body = await reader.ask(route);
    if (!isLetters(body))
      throw new cliErrors.CONTROL_UNREACHABLE({
        url,
        reason: "its answer is not a list of messages",
      });
    if (input.isSet("json")) {
      printJson(io, body);
    } else io.print(render(body));
    return 0;
  },
};

async function replay(
  reader: ControlReader,
  id: string,
  { input, io }: { readonly input: CommandInput; readonly io: CommandIo },
): Promise<number> {
  const route = `/dead-letters/${encodeURIComponent(id.toWellFormed())}/replay`;
  const body = objectOf(await reader.ask(route, { body: {} }));
  if (input.isSet("json")) printJson(io, body);
  else io.print(`sent again to "${textIn(body["agent"])}" as ${textIn(body["id"])}\n`);
  return 0;
}

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
