import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  type DeploymentInit,
  type Deployment,
  deploymentOf,
  serviceName,
  usesJetStream,
} from "../../deploy/index.ts";
import { isLoopbackHost } from "../../gateway-settings/index.ts";
import { installCommandOf } from "../../link-clients/index.ts";
import { httpGatewayKind, topologyServerKind } from "../../node-kinds/index.ts";
import {
  formatProblem,
  isOfKind,
  processGroups,
  readTopologyText,
  walkTree,
} from "../../topology/index.ts";
import type { Topology } from "../../topology/index.ts";
import type { CommandInput, CommandIo } from "../command.ts";
import { listenerNodes } from "../doctor/index.ts";
import { cliErrors } from "../errors.ts";
import { readVersion } from "../read-version.ts";
import { loadTopology, topologyPaths } from "../topologies/index.ts";

/** Names that files of a deployment have. */
const takenNames: ReadonlySet<string> = new Set([
  "compose.yaml",
  "kustomization.yaml",
  "workloads.yaml",
  "container.yaml",
  "container.supervisor.yaml",
  "container.worker.yaml",
]);

/**
 * Reads what `agentrt deploy` deploys: the topology, and what its folder holds.
 *
 * @param given.output The folder of the deployment, relative to the working directory.
 * @throws AGENTRT_TOPOLOGY_INVALID and others of reading a topology; AGENTRT_CLI_CANNOT_DEPLOY for a file that cannot be copied.
 */
export async function readDeployment({
  input,
  io,
  output,
}: {
  readonly input: CommandInput;
  readonly io: CommandIo;
  readonly output: string;
}): Promise<Deployment> {
  const paths = topologyPaths(input);
  if (paths.includes("-"))
    throw new cliErrors.CANNOT_DEPLOY({ path: "-", reason: "it is the standard input" });
  const transport = input.text("transport");
  const first = await loadTopology({ paths, input, io, transport });
  const { type } = first.topology.transport;
  const isSpread = type === "in_process" && processGroups(first.topology).length > 0;
  // Nothing is told twice.
  const again = { paths, input, io: { ...io, tell: () => undefined }, transport };
  const read = isSpread ? await loadTopology({ ...again, transportDefault: "zmq" }) : first;
  const { topology } = read;
  for (const note of read.notes) io.tell(`note: ${formatProblem(note)}`);
  const project = projectFolder(paths[0], io.directory);
  const folder = resolve(io.directory, output);
  return deploymentOf({
    name: nameOf(project),
    version: readVersion(),
    topology,
    files: copiesOf(paths, io.directory, project),
    substituted: read.variables?.names.filter((name) => !name.endsWith(" (default)")),
    ports: portsOf(topology),
    project: {
      path: slashed(relative(folder, project)) || ".",
      deploymentPath: slashed(relative(project, folder)) || ".",
      ...manifestOf(project, topology),
    },
  });
}

/** The working directory, where the topology is in it; else the folder of the topology. */
function projectFolder(path: string, directory: string): string {
  const file = resolve(directory, path);
  const isInside = !isOutside(relative(directory, file));
  return isInside ? directory : dirname(file);
}

function isOutside(path: string): boolean {
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
}

/** Copies keep their names; one whose name is taken gets a number. */
function copiesOf(
  paths: readonly string[],
  directory: string,
  project: string,
): DeploymentInit["files"] {
  const taken = new Set(takenNames);
  return paths.map((path, index) => {
    const file = resolve(directory, path);
    const inProject = relative(project, file);
    const reason = `it is outside of ${project}, the folder that is deployed`;
    if (isOutside(inProject)) throw new cliErrors.CANNOT_DEPLOY({ path, reason });
    const name = basename(file);
    const copy = taken.has(name) ? `topology-${index + 1}-${name}` : name;
    taken.add(copy);
    return { path: slashed(inProject), copy, text: readTopologyText(path) };
  });
}

function portsOf(topology: Topology): DeploymentInit["ports"] {
  const prefixes = healthPrefixes(topology);
  return listenerNodes(topology).flatMap(({ ports, certs }) =>
    ports.map(({ node, key, host, port, protocol }) => ({
      node,
      port,
      protocol,
      host,
      isLocal: isLoopbackHost(host),
      healthPrefix: key === "port" && certs.tls === undefined ? prefixes.get(node) : undefined,
    })),
  );
}

/** Which nodes answer `/health`, and below which prefix: topology servers, and the gateways that serve their routes. */
function healthPrefixes(topology: Topology): ReadonlyMap<string, string> {
  const nodes = [...walkTree(topology.supervision)];
  const own = new Map(
    nodes.flatMap((node) =>
      isOfKind(topologyServerKind, node) ? [[node.name, node.settings.prefix] as const] : [],
    ),
  );
  const served = nodes.flatMap((node) => {
    if (!isOfKind(httpGatewayKind, node) || node.settings.topologyAgent === undefined) return [];
    const { topologyAgent, topologyPrefix } = node.settings;
    return [[node.name, topologyPrefix ?? own.get(topologyAgent) ?? ""] as const];
  });
  return new Map([...own, ...served]);
}

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
  readonly optionalDependencies?: { readonly [name: string]: string };
}

/** What npm needs to install the packages of the project, and which of them the project does not name. */
function manifestOf(
  project: string,
  topology: Topology,
): Pick<DeploymentInit["project"], "manifests" | "hasLock" | "missingPackages"> {
  const { type } = topology.transport;
  const wanted = [`agentrt@${readVersion()}`];
  const client = usesJetStream(topology) ? "jetstream" : type;
  if (client !== "in_process")
    wanted.push(...installCommandOf(client).replace("npm install ", "").split(" "));
  const manifest = readManifest(join(project, "package.json"));
  if (manifest === undefined) return { manifests: [], hasLock: false, missingPackages: wanted };
  const named = { ...manifest.optionalDependencies, ...manifest.dependencies };
  const hasLock = existsSync(join(project, "package-lock.json"));
  const local = Object.values(named)
    .filter((range) => range.startsWith("file:"))
    .map((range) => slashed(join(".", range.slice("file:".length))))
    .filter((path) => !isOutside(path));
  return {
    manifests: ["package.json", ...(hasLock ? ["package-lock.json"] : []), ...local],
    hasLock,
    missingPackages: wanted.filter(
      (name) => !Object.hasOwn(named, name.slice(0, name.lastIndexOf("@"))),
    ),
  };
}

function readManifest(path: string): Manifest | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Manifest;
  } catch {
    throw new cliErrors.CANNOT_DEPLOY({ path, reason: "it is not JSON" });
  }
}

function nameOf(project: string): string {
  return serviceName(basename(project) || "agentrt");
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
