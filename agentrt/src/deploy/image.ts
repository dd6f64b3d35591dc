import { join, normalize } from "node:path/posix";
import { dataFolder } from "./container-overlay.ts";
import type { DeployedFile } from "./deployed-file.ts";
import type { Deployment } from "./deployment.ts";

/** Where the project is in an image. */
export const appFolder = "/app";
/** What says whether a container is well; its first argument is asked. */
export const healthProgram = "/usr/local/lib/agentrt/healthcheck.mjs";
/** The base image: what runs in it, apart from agentrt, is Node and Debian's tini. */
const baseImage = "node:24-bookworm-slim";

/**
 * Writes what makes the image that all processes of a deployment run in.
 *
 * @param deployment Of which the image is.
 * @returns The build file, and which files of the project stay outside of it.
 */
export function imageFiles(deployment: Deployment): readonly DeployedFile[] {
  return [
    { path: "Dockerfile", content: buildFile(deployment) },
    { path: "Dockerfile.dockerignore", content: ignoreFile(deployment) },
  ];
}

function buildFile(deployment: Deployment): string {
  const { ports, version, name } = deployment;
  const written = writtenFolders(deployment).join(" ");
  const exposed = ports
    .filter(({ port }) => port > 0)
    .map(({ port, protocol }) => `${port}/${protocol}`);
  return `# The image of "${name}", made by agentrt ${version}. The context is the folder of the project: see compose.yaml.
FROM ${baseImage} AS base
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
WORKDIR ${appFolder}

# Only what npm reads is copied here: packages are installed again when it changes, and not with each change of an agent.
FROM base AS packages
${installSteps(deployment).join("\n")}

FROM base
ENV NODE_ENV=production
COPY --from=packages ${appFolder}/node_modules ./node_modules
COPY . .
COPY <<'EOF' ${healthProgram}
${healthCheck}EOF
# The code belongs to root; the processes write only there.
RUN mkdir -p ${written} && chown node:node ${written}
USER node
${exposed.length === 0 ? "" : `EXPOSE ${[...new Set(exposed)].join(" ")}\n`}HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "${healthProgram}"]
ENTRYPOINT ["tini", "--", "${appFolder}/node_modules/.bin/agentrt", "run"]
`;
}

/** @returns Folders that processes write to, in the image. */
export function writtenFolders({ folders }: Deployment): readonly string[] {
  return [dataFolder, ...folders.written.map((path) => inImage(path))];
}

/** @returns A path of the project, in the image. */
export function inImage(path: string): string {
  return path.startsWith("/") ? path : normalize(join(appFolder, path));
}

function installSteps({ project, version }: Deployment): readonly string[] {
  const flags = "--omit=dev --no-audit --no-fund";
  const { manifests, hasLock, missingPackages } = project;
  const more =
    missingPackages.length === 0
      ? []
      : [`RUN npm install --no-save ${flags} ${missingPackages.join(" ")}`];
  if (manifests.length === 0)
    return [
      `RUN npm install ${flags} ${[`agentrt@${version}`, ...missingPackages.filter((name) => !name.startsWith("agentrt@"))].join(" ")}`,
    ];
  const copies = manifests.map((path) => {
    const folder = path.includes("/") ? `./${path.slice(0, path.lastIndexOf("/"))}/` : "./";
    return `COPY ${path} ${folder}`;
  });
  return [...copies, `RUN npm ${hasLock ? "ci" : "install"} ${flags}`, ...more];
}

/** Nothing of what is secret, and nothing that is made again, goes into the image. */
function ignoreFile({ project: { deploymentPath }, folders }: Deployment): string {
  const own = deploymentPath.startsWith("..") ? [] : [deploymentPath];
  const kept = [folders.stateFile, folders.auditFile, ...folders.written, ...folders.keys].filter(
    (path) => path !== undefined && !path.startsWith("/") && !path.startsWith(".."),
  );
  const lines = [
    "**/node_modules",
    "**/.git",
    "**/.env*",
    "**/.npmrc",
    "**/*.key",
    "**/*.db",
    "**/*.db-*",
    "agentrt-keys",
    "agentrt_audit.jsonl*",
    "telemetry",
    ...kept,
    ...own,
  ];
  return `${[...new Set(lines)].join("\n")}\n`;
}

/**
 * The program of the health check. `AGENTRT_HEALTH` says what is asked: a URL; `connected:<port>`, whether a connection to that
 * port is there, as a worker has one to the broker; `listening:<port>`. Without it a container is well.
 */
const healthCheck = `// Says whether this container is well: exit code 0 or 1. AGENTRT_HEALTH is one of
//   http://127.0.0.1:8080/health   a URL that answers with 200
//   connected:4222                 a connection to that port of the broker is there
//   listening:8443                 that port is open here
const { readFileSync } = process.getBuiltinModule("node:fs");
const wanted = process.env.AGENTRT_HEALTH ?? "";

/** Rows of the kernel's table of connections, as [own port, other port, state]. */
function connections() {
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => {
    try {
      return readFileSync(path, "utf8").trim().split("\\n").slice(1);
    } catch {
      return []; // IPv6 is off.
    }
  }).map((line) => {
    const [, own = "", other = "", state = ""] = line.trim().split(/\\s+/);
    const port = (address) => Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
    return [port(own), port(other), state];
  });
}

async function isWell() {
  const [form, port] = wanted.split(":");
  if (form === "connected") return connections().some(([, other, state]) => other === Number(port) && state === "01");
  if (form === "listening") return connections().some(([own, , state]) => own === Number(port) && state === "0A");
  if (wanted === "") return true;
  return (await fetch(wanted, { signal: AbortSignal.timeout(4000) })).ok;
}

try {
  process.exitCode = (await isWell()) ? 0 : 1;
} catch {
  process.exitCode = 1;
}
`;
