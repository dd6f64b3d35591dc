import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import {
  type CommandContext,
  type CommandInput,
  executeCommand,
  findCommand,
  ResidentIndexes,
} from "../commands/index.ts";
import { CommandError, errors, type Outcome } from "../envelope/index.ts";
import {
  ResidentService,
  type ServiceStatus,
  startToFirstLine,
  stateOf,
  statesOfAll,
  stopService,
} from "../resident/index.ts";
import {
  findService,
  makePrivateFolder,
  type Question,
  type ServedAnswer,
  servicePlace,
} from "../service/index.ts";
import type { CommandLine } from "./command-line.ts";
import { GatheredStream } from "./gathered-stream.ts";
import { Output } from "./output.ts";

/** What `serve` is run with. */
export interface ServeOptions {
  readonly line: CommandLine;
  readonly context: CommandContext;
  readonly print: (outcome: Outcome) => Promise<unknown>;
  /** Runs a command line, as the process that asks would. */
  readonly runLine: (line: CommandLine) => Promise<number>;
}

const idleMinutesDefault = 15;
const memoryBytesMax = 300 * 1024 * 1024;

/**
 * Runs `serve`: starts a service and stays until it ends, starts one in the background, ends one, or tells which run.
 *
 * @returns The exit code.
 */
export async function runServe(input: CommandInput, options: ServeOptions): Promise<number> {
  try {
    return await run(input, options);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await options.print({ error });
    return error.exitCode;
  }
}

async function run(input: CommandInput, options: ServeOptions): Promise<number> {
  const { context, print, line } = options;
  const place = servicePlace(context.environment);
  if (place === undefined || (place.folder !== undefined && !makePrivateFolder(place.folder)))
    throw new errors.permission_denied({ path: place?.folder ?? "/tmp", action: "write" });
  if (input["status"] === true) {
    const services = await statesOfAll(place);
    await print(answerOf({ services }, () => renderStatus(services)));
    return 0;
  }
  if (input["stop"] === true) return await stop(input, options);
  if (input["detach"] === true) {
    const argv = line.argv.filter((word) => word !== "--detach");
    const { environment, workingDirectory } = context;
    const first = await startToFirstLine({ argv, environment, workingDirectory });
    await line.stdout.write(first.text);
    return first.exitCode ?? 0;
  }
  const root = await indexedTree(input, context);
  const address = place.addressOf(root);
  const running = await stateOf(address);
  if (running?.isMine === true)
    await print(started({ root, pid: running.status.pid, isNew: false }));
  else await serve({ root, address, input }, options);
  return 0;
}

async function stop(input: CommandInput, { context, print }: ServeOptions): Promise<number> {
  const folder = resolve(context.workingDirectory, String(input["path"] ?? "."));
  const address = findService({ environment: context.environment, workingDirectory: folder });
  const state = address === undefined ? undefined : await stateOf(address);
  const isStopped = address !== undefined && (await stopService(address));
  const root = state?.status.root ?? folder;
  const text = isStopped ? `stopped the service of ${root}` : `no service runs for ${root}`;
  await print(answerOf({ root, stopped: isStopped }, () => text));
  return 0;
}

/**
 * Brings the index of the tree up to date, or makes it.
 *
 * @returns Absolute path of the tree.
 */
async function indexedTree(input: CommandInput, context: CommandContext): Promise<string> {
  const index = findCommand("index");
  if (index === undefined) throw new Error('"index" is not in the table');
  const { path } = input;
  const outcome = await executeCommand(index, path === undefined ? {} : { path }, context);
  if ("error" in outcome) throw outcome.error;
  return realpathSync(String(outcome.data["path"]));
}

async function serve(
  { root, address, input }: { root: string; address: string; input: CommandInput },
  options: ServeOptions,
): Promise<void> {
  const { line, print, runLine } = options;
  using corpora = new ResidentIndexes();
  const minutes = input["idle_minutes"];
  const service = await ResidentService.start({
    root,
    address,
    answer: async (question) => await answer(question, { corpora, runLine }),
    idleMs: (typeof minutes === "number" ? minutes : idleMinutesDefault) * 60_000,
    memoryBytesMax,
  });
  line.onEnd?.(() => service.end("stopped"));
  await print(started({ root, pid: process.pid, isNew: true }));
  const reason = await service.ended;
  options.context.log?.("info", `the service of ${root} ends: ${reason}`);
}

async function answer(
  question: Question,
  {
    corpora,
    runLine,
  }: { readonly corpora: ResidentIndexes; readonly runLine: ServeOptions["runLine"] },
): Promise<ServedAnswer> {
  const { isTerminal } = question;
  const [stdout, stderr] = [new GatheredStream(isTerminal), new GatheredStream(isTerminal)];
  const { argv, invokedAs, environment, workingDirectory } = question;
  const exitCode = await runLine({
    argv,
    invokedAs,
    environment,
    workingDirectory,
    stdin: nothing(),
    stdout: new Output({ openStream: () => stdout }),
    stderr,
    corpora,
  });
  return { exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() };
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // A command that reads standard input is not asked of a service.
}

function started(of: {
  readonly root: string;
  readonly pid: number;
  readonly isNew: boolean;
}): Outcome {
  const { root, pid, isNew } = of;
  const verb = isNew ? "answers" : "already answers";
  return answerOf(
    { root, pid, already_running: !isNew },
    () => `process ${pid} ${verb} for ${root}`,
  );
}

function answerOf(data: { readonly [name: string]: unknown }, plain: () => string): Outcome {
  return { data, plain };
}

function renderStatus(services: readonly ServiceStatus[]): string {
  if (services.length === 0) return "no service of yours runs";
  return services
    .map((each) => {
      const megabytes = Math.round(each.memory_bytes / 1024 / 1024);
      const [upSeconds, idleSeconds] = [each.uptime_ms, each.idle_ms].map((ms) =>
        Math.round(ms / 1000),
      );
      return `${each.root}: process ${each.pid}, ${each.question_count} questions answered, ${megabytes} MB, up ${upSeconds} s, idle ${idleSeconds} s`;
    })
    .join("\n");
}
