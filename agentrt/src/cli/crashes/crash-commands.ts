import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { printable } from "../../core/index.ts";
import type { CrashBundle, CrashFiles } from "../../crashes/index.ts";
import {
  type CommandSpec,
  type CommandInput,
  type CommandIo,
  type FlagSpec,
  jsonFlag,
} from "../command.ts";
import { safeJson } from "../safe-json.ts";

const folderFlag: FlagSpec = {
  name: "folder",
  value: "path",
  summary: "where the records are; default $AGENTRT_CRASHES, else agentrt_crashes",
};

/** `agentrt crash list`. */
export const crashListCommand: CommandSpec = {
  words: ["crash", "list"],
  summary: "list the recorded crashes of agents, oldest first",
  flags: [folderFlag, jsonFlag],
  examples: [
    ["agentrt crash list", "lists what ./agentrt_crashes holds, also while a topology runs"],
    [
      "agentrt crash list --folder demo/agentrt_crashes --json",
      "prints another folder for a script",
    ],
  ],
  run: async (input, io) => {
    const files = await filesOf(input, io);
    const { crashErrors, summaryOf } = await import("../../crashes/index.ts");
    const crashes: object[] = [];
    const lines: string[] = [];
    for (const id of files.ids()) {
      let bundle: CrashBundle;
      try {
        bundle = files.read(id);
      } catch (error) {
        // One that cannot be read does not hide the others.
        if (!(error instanceof crashErrors.UNREADABLE || error instanceof crashErrors.UNKNOWN))
          throw error;
        io.tell(`warning: ${printable(error.message)}`);
        continue;
      }
      const { agent, timestamp, error, replay } = bundle;
      crashes.push({ ...summaryOf(bundle), holds: replay.holds });
      const time = new Date(timestamp * 1000).toISOString();
      lines.push(printable(`${id}  ${time}  ${agent}  ${error.name}: ${error.message}`, 300));
    }
    if (input.isSet("json"))
      io.print(`${safeJson({ folder: files.folder, crashes }, { indent: 2 })}\n`);
    else if (lines.length === 0) io.tell(`no crash is recorded in "${printable(files.folder)}"`);
    else io.print(`${lines.join("\n")}\n`);
    return 0;
  },
};

/** `agentrt crash show`. */
export const crashShowCommand: CommandSpec = {
  words: ["crash", "show"],
  summary: "show what an agent was doing when it crashed, and the command that replays it",
  arguments: [
    {
      name: "id",
      summary: "of the crash, as `crash list` and the log name it; or a file; default the latest",
      isOptional: true,
    },
  ],
  flags: [folderFlag, jsonFlag],
  examples: [
    ["agentrt crash show", "shows the latest crash that ./agentrt_crashes holds"],
    ["agentrt crash show mi9y4kq2-3f9a --json", "prints the whole record for a script"],
  ],
  run: async (input, io) => {
    const files = await filesOf(input, io);
    const [{ readCrashFile, crashErrors }, { crashText }, { commandLine }] = await Promise.all([
      import("../../crashes/index.ts"),
      import("./crash-text.ts"),
      import("../simulation/index.ts"),
    ]);
    const [asked = files.ids().at(-1)] = input.arguments("id");
    if (asked === undefined) throw new crashErrors.UNKNOWN({ id: "latest", folder: files.folder });
    const isFile = asked.endsWith(".json");
    const file = isFile ? resolve(asked) : files.pathOf(asked);
    const bundle = isFile ? readCrashFile(asked) : files.read(asked);
    const words = repeatWords(bundle, { file, directory: io.directory });
    const repeat = words === undefined ? undefined : commandLine(words);
    if (input.isSet("json"))
      io.print(`${safeJson({ ...bundle, repeat: repeat ?? null }, { indent: 2 })}\n`);
    else io.print(crashText(bundle, repeat));
    return 0;
  },
};

async function filesOf(input: CommandInput, io: CommandIo): Promise<CrashFiles> {
  const { CrashFiles: Files, crashFolderName } = await import("../../crashes/index.ts");
  const { AGENTRT_CRASHES: named } = io.environment;
  const isNamed = named !== undefined && named !== "" && named !== "none";
  return new Files(resolve(input.text("folder") ?? (isNamed ? named : crashFolderName)));
}

/** The record says where it is as seen from the project: that says where the project is, as seen from here. */
function repeatWords(
  { repeat }: CrashBundle,
  { file, directory }: { readonly file: string; readonly directory: string },
): readonly string[] | undefined {
  const recorded = repeat?.at(-1);
  if (repeat === null || recorded === undefined) return undefined;
  const parts = dirname(recorded)
    .split("/")
    .filter((part) => part !== ".");
  // Records somewhere else do not say where the project is.
  if (isAbsolute(recorded) || parts.includes("..")) return repeat;
  const project = join(dirname(file), ...parts.map(() => ".."));
  const from = (path: string): string => relative(directory, join(project, path)) || ".";
  return repeat.map((word, at) => {
    if (at === repeat.length - 1) return relative(directory, file);
    const isPath = at === 1 || repeat[at - 1] === "-t" || repeat[at - 1] === "--env-from";
    return isPath ? from(word) : word;
  });
}
