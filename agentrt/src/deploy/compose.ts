import { join } from "node:path/posix";
import { containerOverlays, dataFolder, proxyPorts } from "./container-overlay.ts";
import type { DeployedFile } from "./deployed-file.ts";
import type { DeployedPort, DeployedProcess, Deployment } from "./deployment.ts";
import { environmentFile } from "./environment-file.ts";
import { healthOf } from "./health.ts";
import { appFolder, imageFiles, inImage } from "./image.ts";
import { runWords } from "./run-words.ts";
import { toYaml } from "./to-yaml.ts";

/** What Compose puts the value from `.env` in place of. */
const natsUrl = "${NATS_URL}";
const network = "agentrt-network";
/** Has busybox, whose wget asks for the server's health; the smaller image has nothing to ask with. */
const brokerImage = "nats:2-alpine";

/**
 * Writes a deployment for Compose: one service for each process, and a NATS server where the topology needs one.
 *
 * @param deployment What is deployed.
 * @returns The files, in the order they are listed to people.
 */
export function composeFiles(deployment: Deployment): readonly DeployedFile[] {
  const { files, processes, hasBroker, folders } = deployment;
  const overlays = containerOverlays(deployment, "supervisor");
  const services = Object.fromEntries(
    processes.map((process) => {
      const overlay = process.group === undefined ? overlays.supervisor : overlays.worker;
      return [process.service, serviceOf(deployment, process, overlay)];
    }),
  );
  const volumes = ["data", ...folders.written.map(volumeOf), ...(hasBroker ? ["nats"] : [])];
  const compose = {
    services: { ...(hasBroker ? { nats: brokerOf(deployment) } : {}), ...services },
    networks: { [network]: {} },
    volumes: Object.fromEntries(volumes.map((name) => [name, {}])),
  };
  const remarks = [
    `Made by agentrt ${deployment.version}: agentrt deploy container-compose`,
    "docker compose up --build --detach --wait",
  ];
  return [
    { path: "compose.yaml", content: toYaml(compose, remarks) },
    ...imageFiles(deployment),
    environmentFile(deployment),
    ...files.map(({ copy, text }) => ({ path: copy, content: text })),
    ...new Set([overlays.supervisor, overlays.worker].filter((file) => file !== undefined)),
  ];
}

function serviceOf(
  deployment: Deployment,
  process: DeployedProcess,
  overlay: DeployedFile | undefined,
): object {
  const { name, project, files, folders, hasBroker, ports, transport } = deployment;
  const isSupervisor = process.group === undefined;
  const health = healthOf(deployment, process);
  const copies = files.map(({ copy, path }) => literal(`./${copy}:${inImage(path)}:ro`));
  const overlayPath = overlay === undefined ? undefined : join(appFolder, ".agentrt", overlay.path);
  const paths = [
    ...files.map(({ path }) => inImage(path)),
    ...(overlayPath === undefined ? [] : [overlayPath]),
  ];
  const open = ports.filter(({ port }) => port > 0);
  return {
    build: { context: project.path, dockerfile: join(project.deploymentPath, "Dockerfile") },
    image: name,
    command: runWords(deployment, process, { paths, natsUrl }).map((word) =>
      word === natsUrl ? word : literal(word),
    ),
    environment: {
      AGENCY_SERIALIZER: "${AGENCY_SERIALIZER:-msgpack}",
      ...(health === undefined ? {} : { AGENTRT_HEALTH: health }),
    },
    env_file: [".env"],
    labels: {
      "agentrt.process": literal(process.group ?? "supervisor"),
      "agentrt.agents": literal(process.agents.join(",")),
    },
    ...(isSupervisor && open.length > 0 ? { ports: open.map(publishedPort) } : {}),
    ...(isSupervisor && transport.type === "zmq" && transport.isProxyStarted
      ? { expose: proxyPorts(deployment).map(String) }
      : {}),
    volumes: [
      ...copies,
      ...(overlay === undefined || overlayPath === undefined
        ? []
        : [`./${overlay.path}:${overlayPath}:ro`]),
      ...folders.keys.map((path) => literal(`${hostPath(project.path, path)}:${inImage(path)}:ro`)),
      `data:${dataFolder}`,
      ...folders.written.map((path) => `${volumeOf(path)}:${inImage(path)}`),
    ],
    ...dependsOn(isSupervisor, hasBroker),
    restart: "unless-stopped",
    stop_grace_period: `${deployment.stopSeconds}s`,
    read_only: true,
    tmpfs: ["/tmp"],
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    networks: [network],
  };
}

/** Compose puts variables in place of what follows a dollar. */
function literal(text: string): string {
  return text.replaceAll("$", "$$$$");
}

function dependsOn(isSupervisor: boolean, hasBroker: boolean): object {
  const conditions = {
    ...(hasBroker ? { nats: { condition: "service_healthy" } } : {}),
    ...(isSupervisor ? {} : { supervisor: { condition: "service_started" } }),
  };
  return Object.keys(conditions).length === 0 ? {} : { depends_on: conditions };
}

/** The broker is reached by the processes of the deployment, and by this machine, for people who look. */
function brokerOf({ usesJetStream }: Deployment): object {
  return {
    image: brokerImage,
    command: [
      "--http_port",
      "8222",
      ...(usesJetStream ? ["--jetstream", "--store_dir", "/data"] : []),
    ],
    ports: ["127.0.0.1:4222:4222", "127.0.0.1:8222:8222"],
    healthcheck: {
      test: ["CMD", "wget", "-q", "-O", "/dev/null", "http://localhost:8222/healthz"],
      interval: "5s",
      timeout: "3s",
      retries: 3,
    },
    volumes: ["nats:/data"],
    restart: "unless-stopped",
    networks: [network],
  };
}

/** A gateway that only its own machine reached is not open to others now. */
function publishedPort({ port, protocol, isLocal }: DeployedPort): string {
  const suffix = protocol === "udp" ? "/udp" : "";
  return `${isLocal ? "127.0.0.1:" : ""}${port}:${port}${suffix}`;
}

function volumeOf(path: string): string {
  return path.replaceAll(/[^\w.-]+/g, "-").replace(/^[^a-zA-Z0-9]+/, "") || "files";
}

function hostPath(project: string, path: string): string {
  if (path.startsWith("/")) return path;
  const joined = join(project, path);
  return joined.startsWith(".") ? joined : `./${joined}`;
}
