import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Exchanged, Patience } from "./exchange.ts";
import { ProgramIdentity } from "./identity.ts";
import { isPrivateFolder, servicePlace, withAncestors } from "./place.ts";
import {
  decodeAnswer,
  type Question,
  type Request,
  requestBytesMax,
  type ServedAnswer,
} from "./question.ts";

/** The commands that a service answers: those that only read the tree. Others run in the process that was started. */
export const servedCommands: ReadonlySet<string> = new Set([
  "search",
  "read",
  "find",
  "outline",
  "context",
  "impact",
  "explain",
  "map",
  "exists",
  "diff",
]);

/** A service that does not begin within a tenth of a second is busy: another core answers sooner. */
const patience: Patience = { acceptedMs: 100, silenceMs: 5000 };

/** A command line, before anything of it is parsed. */
export interface AskedLine {
  readonly argv: readonly string[];
  /** Names the program may have been started by. */
  readonly invokedAs: readonly string[];
  /** The command that a link's name stands for, such as `codetool-search`. */
  readonly linkedCommand: string | undefined;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly workingDirectory: string;
  readonly isTerminal: () => boolean;
}

/**
 * Has a service answer a command line.
 *
 * @returns The whole answer. Without one, the process is to answer by itself: `"declined"` by a service that is busy, of
 *   another build, or failed; `"absent"` when there is none for this folder.
 */
export async function askService(line: AskedLine): Promise<ServedAnswer | "declined" | "absent"> {
  const address = findService(line);
  if (address === undefined) return "absent";
  const question = makeQuestion(line);
  if (question === undefined) return "declined";
  const { isHeard, bytes } = await sendRequest(address, { kind: "ask", question }, patience);
  if (!isHeard) return "absent";
  return (bytes === undefined ? undefined : decodeAnswer(bytes)) ?? "declined";
}

/** See `exchange`, which is loaded only where somebody is asked: sockets take milliseconds to load. */
export async function sendRequest(
  address: string,
  request: Request,
  howLong: Patience,
): Promise<Exchanged> {
  const { exchange } = await import("./exchange.ts");
  return await exchange(address, request, howLong);
}

/** Whether a service would answer this command line. */
export function maySend({ argv, linkedCommand, environment }: AskedLine): boolean {
  if (environment["CODETOOL_SERVE"] === "off") return false;
  const end = argv.indexOf("--");
  if ((end === -1 ? argv : argv.slice(0, end)).includes("--no-serve")) return false;
  const word = linkedCommand ?? argv.find((each) => !each.startsWith("-"));
  return word !== undefined && servedCommands.has(word);
}

/**
 * Finds the service of a folder or of one above it.
 *
 * @returns Its address; somebody may listen there.
 */
export function findService(
  line: Pick<AskedLine, "environment" | "workingDirectory">,
): string | undefined {
  const place = servicePlace(line.environment);
  if (place === undefined) return undefined;
  const folders = withAncestors(line.workingDirectory);
  if (place.folder === undefined) {
    const root = folders.find((folder) => existsSync(join(folder, ".codetool")));
    return root === undefined ? undefined : place.addressOf(root);
  }
  if (!isPrivateFolder(place.folder)) return undefined;
  return folders.map((folder) => place.addressOf(folder)).find(isSocket);
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}

function makeQuestion(line: AskedLine): Question | undefined {
  const { argv, invokedAs, environment, workingDirectory, isTerminal } = line;
  const question: Question = {
    identity: new ProgramIdentity().text,
    argv,
    invokedAs,
    workingDirectory,
    folder: folderMark(workingDirectory),
    environment: Object.fromEntries(
      Object.entries(environment).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
    isTerminal: isTerminal(),
  };
  return JSON.stringify(question).length < requestBytesMax / 4 ? question : undefined;
}

/**
 * Whether the first question in this folder starts a service: `CODETOOL_SERVE` is `auto`, or is not set and the user has run
 * `codetool init --serve`; and there is an index.
 */
export function isStartWanted({ environment, workingDirectory }: AskedLine): boolean {
  const asked = environment["CODETOOL_SERVE"] ?? "";
  const home = environment["HOME"] || environment["USERPROFILE"] || "";
  const isStarted =
    asked === "" ? home !== "" && existsSync(join(home, ".codetool", "serve")) : asked === "auto";
  if (!isStarted) return false;
  return withAncestors(workingDirectory).some((folder) =>
    existsSync(join(folder, ".codetool", "index")),
  );
}

/** Tells a folder from another one under the same path. */
export function folderMark(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
