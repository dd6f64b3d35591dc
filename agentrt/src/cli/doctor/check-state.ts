import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { JsonObject } from "../../core/index.ts";
import { reasonOf } from "../../core/index.ts";
import {
  encryptedStateKind,
  natsKvStateKind,
  postgresStateKind,
  sqliteStateKind,
} from "../../node-kinds/index.ts";
import {
  defaultStatePath,
  NatsKvStateStore,
  openStates,
  type RawStates,
  readStateKeys,
} from "../../state/index.ts";
import { fileHolders } from "./file-holders.ts";
import type { Topology } from "../../topology/index.ts";
import type { Finding } from "./finding.ts";

/** Less free space than this gets a warning, bytes. */
const freeSizeBytesMin = 256 * 1024 * 1024;
const check = "state";
/** How long a NATS server is waited for, milliseconds. */
const natsTimeoutMs = 5000;

/** What is known besides the topology. */
interface StateSurroundings {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly isRunning: boolean;
}

/** A store by its built-in name, and its settings as they are in the file. */
interface Store {
  readonly type: string;
  readonly config: JsonObject;
}

/**
 * Looks at the state store of a topology, without writing to it: whether it can be opened, who else may read it, whether
 * there is room, and whether the keys of an encrypted one are set.
 *
 * @param topology A validated topology.
 * @param options.environment Where keys are.
 * @param options.isRunning Whether the topology runs: its process has the keys then, whatever this shell has.
 */
export async function checkState(
  topology: Topology,
  { environment, isRunning }: StateSurroundings,
): Promise<Finding[]> {
  const declared = topology.plugins.state;
  if (declared === undefined) {
    const message = "states are kept in memory: they are gone when the process ends";
    return [{ check, state: "ok", message }];
  }
  if (declared.type !== encryptedStateKind.name) return await checkStore(declared, topology);
  const { store, ...keys } = encryptedStateKind.settings.parse(declared.config);
  const found = checkKeys({ ...keys, environment });
  const message = "the keys of states are not set in this shell: the process that runs has its own";
  const isElsewhere = found.state === "failed" && isRunning;
  return [
    isElsewhere ? { check, state: "ok", message } : found,
    ...(await checkStore(store, topology)),
  ];
}

function checkKeys(options: Parameters<typeof readStateKeys>[0]): Finding {
  try {
    const { size } = readStateKeys(options).keys;
    return {
      check,
      state: "ok",
      message: size === 1 ? "the key of states is set" : `${size} keys of states are set`,
    };
  } catch (error) {
    const remedy = "set the variable where agentrt run is started";
    return { check, state: "failed", message: reasonOf(error), remedy };
  }
}

async function checkStore({ type, config }: Store, topology: Topology): Promise<Finding[]> {
  if (type === sqliteStateKind.name) {
    const { path = defaultStatePath } = sqliteStateKind.settings.parse(config);
    return await checkFile(path);
  }
  if (type === postgresStateKind.name) {
    const { url } = postgresStateKind.settings.parse(config);
    return [await checkOpened(() => openStates({ kind: "postgres", url }, { access: "look" }))];
  }
  if (type === natsKvStateKind.name) {
    const { servers, bucket } = natsKvStateKind.settings.parse(config);
    const { natsSettingsOf } = await import("../../composition/index.ts");
    const options = { bucket, isLook: true, connectTimeoutMs: natsTimeoutMs };
    const open = (): RawStates =>
      new NatsKvStateStore({ ...natsSettingsOf(topology, servers), ...options });
    return [await checkOpened(open)];
  }
  return [{ check, state: "ok", message: `store "${type}" is not looked into` }];
}

async function checkFile(path: string): Promise<Finding[]> {
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    const message = `state file "${path}": this user may not write to its folder`;
    const remedy = `make the folder, or let this user write to it: ${folder}`;
    return [{ check, state: "failed", message, remedy }];
  }
  const findings: Finding[] = [];
  if (existsSync(path))
    findings.push(
      await checkOpened(() => openStates({ kind: "sqlite", path }, { access: "look" })),
      ...openFile(path),
      ...holderFindings(path),
    );
  else
    findings.push({ check, state: "ok", message: `state file "${path}" is made by the first run` });
  const { bavail, bsize } = statfsSync(folder);
  const freeSizeBytes = bavail * bsize;
  if (freeSizeBytes < freeSizeBytesMin) {
    const message = `${Math.floor(freeSizeBytes / 1_048_576)} MiB are free where "${path}" is`;
    findings.push({
      check,
      state: "warning",
      message,
      remedy: "make room: a full disk fails checkpoints",
    });
  }
  return findings;
}

async function checkOpened(open: () => RawStates | undefined): Promise<Finding> {
  try {
    const states = open();
    let count = 0;
    let label = "";
    if (states !== undefined) {
      label = states.label;
      try {
        for await (const _ of states.rows()) count += 1;
      } finally {
        await states.close();
      }
    }
    const message = `"${label}" opens, with ${count} saved ${count === 1 ? "state" : "states"}`;
    return { check, state: "ok", message };
  } catch (error) {
    const remedy = "agentrt run fails with the same error; its remedy is in docs/errors.md";
    return { check, state: "failed", message: reasonOf(error), remedy };
  }
}

function openFile(path: string): Finding[] {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  const shown = mode.toString(8).padStart(4, "0");
  const message = `state file "${path}" may be read by other users (${shown})`;
  return [{ check, state: "warning", message, remedy: `chmod 600 ${path}` }];
}

/** Who has the file open besides this process: one of several may hold it while the others wait. */
function holderFindings(path: string): Finding[] {
  const holders = fileHolders(path);
  if (holders.length === 0) return [];
  const shown = holders.map(({ pid, command }) => `process ${pid} (${command})`).join(", ");
  const message = `state file "${path}" is open in ${shown}`;
  if (holders.length === 1) return [{ check, state: "ok", message }];
  const remedy = "when no state is saved, end the one that is not agentrt run: kill <its number>";
  return [{ check, state: "warning", message, remedy }];
}
