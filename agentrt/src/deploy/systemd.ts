import { dirname, join } from "node:path/posix";
import type { DeployedFile } from "./deployed-file.ts";
import type { DeployedProcess, Deployment } from "./deployment.ts";
import { environmentFile } from "./environment-file.ts";
import { runWords } from "./run-words.ts";

/** Where the units find what they start. */
export interface SystemdPlaces {
  /** The working directory, absolute: the folder of the project. */
  readonly project: string;
  /** The folder of the deployment, absolute. */
  readonly deployment: string;
  /** The program that runs agentrt: Node, and its launcher. */
  readonly program: readonly [string, ...string[]];
  /** The user that the processes run as. */
  readonly user: string;
}

/**
 * Writes units for systemd: a service for each process, and a target that starts and stops all of them. They run on this machine, in the folder
 * of the project, with its files where they are.
 *
 * @param deployment What is deployed.
 * @param places Where things are.
 * @returns The files, in the order they are listed to people.
 */
export function systemdFiles(
  deployment: Deployment,
  places: SystemdPlaces,
): readonly DeployedFile[] {
  const { name, processes, hasBroker } = deployment;
  const local = hasBroker
    ? { ...deployment, variables: deployment.variables.map(onThisMachine) }
    : deployment;
  return [
    { path: `${name}.target`, content: targetUnit(deployment) },
    ...processes.map((process) => ({
      path: `${name}-${process.service}.service`,
      content: serviceUnit(deployment, process, places),
    })),
    environmentFile(local),
  ];
}

function onThisMachine<Each extends { readonly name: string }>(variable: Each): Each {
  return variable.name === "NATS_URL" ? { ...variable, value: "nats://127.0.0.1:4222" } : variable;
}

function targetUnit({ name, processes, version }: Deployment): string {
  const services = processes.map(({ service }) => `${name}-${service}.service`).join(" ");
  return `# Made by agentrt ${version}: agentrt deploy systemd
[Unit]
Description=${escaped(name)}, all of its processes
Wants=${services}

[Install]
WantedBy=multi-user.target
`;
}

function serviceUnit(
  deployment: Deployment,
  process: DeployedProcess,
  { project, deployment: folder, program, user }: SystemdPlaces,
): string {
  const { name, hasBroker, stopSeconds, version, files } = deployment;
  const after = ["network-online.target", ...(hasBroker ? ["nats-server.service"] : [])];
  const supervisor = process.group === undefined ? [] : [`${name}-supervisor.service`];
  const paths = files.map(({ path }) => join(project, path));
  const words = [...program, "run", ...runWords(deployment, process, { paths, natsUrl })];
  const command = words.map((word) => (word === natsUrl ? word : quoted(word))).join(" ");
  return `# Made by agentrt ${version}: agentrt deploy systemd. It runs: ${escaped(process.agents.join(", "))}
[Unit]
Description=${escaped(`${name}: ${process.group === undefined ? "supervisor" : `worker ${process.group}`}`)}
After=${[...after, ...supervisor].join(" ")}
Wants=${after.join(" ")}
PartOf=${name}.target
StartLimitIntervalSec=0

[Service]
Type=exec
User=${user}
WorkingDirectory=${escaped(project)}
EnvironmentFile=${escaped(join(folder, ".env"))}
ExecStart=${command}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=1
TimeoutStopSec=${stopSeconds}
NoNewPrivileges=true
PrivateTmp=true
ProtectSystem=strict
ReadWritePaths=${[project, ...writtenElsewhere(deployment)].map(listed).join(" ")}
ProtectKernelTunables=true
ProtectKernelModules=true
ProtectControlGroups=true
RestrictSUIDSGID=true
LockPersonality=true

[Install]
WantedBy=${name}.target
`;
}

/** Folders outside of the project that the processes write to. */
function writtenElsewhere({ folders }: Deployment): readonly string[] {
  const { stateFile, auditFile, written } = folders;
  const files = [stateFile, auditFile].filter((path) => path !== undefined);
  const all = [...files.map((path) => dirname(path)), ...written];
  return [...new Set(all.filter((path) => path.startsWith("/")))];
}

/** An item of a list; one of these may have blanks. */
function listed(path: string): string {
  return /\s/.test(path) ? `"${escaped(path)}"` : escaped(path);
}

/** What systemd puts the value of the variable in place of. */
const natsUrl = "${NATS_URL}";

/** A word of a command line. */
function quoted(word: string): string {
  const text = escaped(word).replaceAll("$", "$$$$");
  return /^[\w@%+=:,./-]+$/.test(text)
    ? text
    : `"${text.replaceAll("\\", "\\\\").replaceAll('"', String.raw`\"`)}"`;
}

/** Systemd puts specifiers in place of what follows a percent sign; a unit has one setting a line. */
function escaped(text: string): string {
  return text.replaceAll("%", "%%").replaceAll(/[\n\r]/g, " ");
}
