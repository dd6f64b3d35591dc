import { join } from "node:path/posix";
import { containerOverlays, dataFolder, proxyPorts } from "./container-overlay.ts";
import type { DeployedFile } from "./deployed-file.ts";
import type { DeployedProcess, Deployment } from "./deployment.ts";
import { environmentFile } from "./environment-file.ts";
import { healthOf } from "./health.ts";
import { appFolder, healthProgram, imageFiles, inImage } from "./image.ts";
import { runWords } from "./run-words.ts";
import { toYaml } from "./to-yaml.ts";

const nodeUser = 1000;
const brokerImage = "nats:2-alpine";
/** Room for the states of one process, and for the streams of the broker. */
const storageSize = "1Gi";

/**
 * Writes a deployment for Kubernetes, put together by Kustomize: a Deployment for each process, a StatefulSet for the NATS server, and
 * Services. The copy of the topology becomes a ConfigMap and the variables a Secret, each named by what is in it, so that a change
 * restarts what uses it.
 *
 * @param deployment What is deployed.
 * @returns The files, in the order they are listed to people.
 */
export function kubernetesFiles(deployment: Deployment): readonly DeployedFile[] {
  const { name, files, processes, hasBroker, version } = deployment;
  const overlays = containerOverlays(deployment, `${name}-supervisor`);
  const own = [
    ...new Set([overlays.supervisor, overlays.worker].filter((file) => file !== undefined)),
  ];
  const workloads = [
    ...(hasBroker ? broker(deployment) : []),
    ...supervisorService(deployment),
    ...processes.flatMap((process) => [
      volumeClaim(deployment, process),
      workload(
        deployment,
        process,
        process.group === undefined ? overlays.supervisor : overlays.worker,
      ),
    ]),
  ];
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: ["workloads.yaml"],
    configMapGenerator: [
      {
        name: `${name}-topology`,
        files: [...files.map(({ copy }) => copy), ...own.map(({ path }) => path)],
      },
    ],
    secretGenerator: [{ name: `${name}-variables`, envs: [".env"] }],
    images: [{ name, newName: name, newTag: "latest" }],
  };
  const remarks = [
    `Made by agentrt ${version}: agentrt deploy kubernetes`,
    "kubectl apply -k . (build and push the image before, and name it below)",
  ];
  return [
    { path: "kustomization.yaml", content: toYaml(kustomization, remarks) },
    { path: "workloads.yaml", content: workloads.map((value) => toYaml(value)).join("---\n") },
    ...imageFiles(deployment),
    environmentFile(deployment),
    ...files.map(({ copy, text }) => ({ path: copy, content: text })),
    ...own,
  ];
}

function labelsOf(name: string, part: string): { readonly [label: string]: string } {
  return { "app.kubernetes.io/name": name, "app.kubernetes.io/component": part };
}

function workload(
  deployment: Deployment,
  process: DeployedProcess,
  overlay: DeployedFile | undefined,
): object {
  const { name, folders, stopSeconds } = deployment;
  const labels = labelsOf(name, process.service);
  const volumes = [
    { name: "data", persistentVolumeClaim: { claimName: `${name}-${process.service}` } },
    { name: "topology", configMap: { name: `${name}-topology` } },
    { name: "tmp", emptyDir: {} },
    ...folders.written.map((_, index) => ({ name: `written-${index + 1}`, emptyDir: {} })),
  ];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: `${name}-${process.service}`, labels, annotations: annotationsOf(process) },
    spec: {
      replicas: 1,
      // Two processes of one name would both have its agents.
      strategy: { type: "Recreate" },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: annotationsOf(process) },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: stopSeconds,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: nodeUser,
            runAsGroup: nodeUser,
            fsGroup: nodeUser,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [containerOf(deployment, process, overlay)],
          volumes,
        },
      },
    },
  };
}

function annotationsOf({ group, agents }: DeployedProcess): { readonly [name: string]: string } {
  return { "agentrt/process": group ?? "supervisor", "agentrt/agents": agents.join(",") };
}

function containerOf(
  deployment: Deployment,
  process: DeployedProcess,
  overlay: DeployedFile | undefined,
): object {
  const { name, files, folders, ports } = deployment;
  const overlayPath = overlay === undefined ? undefined : join(appFolder, ".agentrt", overlay.path);
  const paths = [
    ...files.map(({ path }) => inImage(path)),
    ...(overlayPath === undefined ? [] : [overlayPath]),
  ];
  const mounted = (mountPath: string, subPath: string): object => ({
    name: "topology",
    mountPath,
    subPath,
    readOnly: true,
  });
  const health = healthOf(deployment, process);
  const open = process.group === undefined ? ports.filter(({ port }) => port > 0) : [];
  return {
    name: "agentrt",
    image: name,
    imagePullPolicy: "IfNotPresent",
    args: runWords(deployment, process, { paths, natsUrl: "$(NATS_URL)" }).map((word) =>
      word === "$(NATS_URL)" ? word : word.replaceAll("$(", "$$("),
    ),
    env: health === undefined ? [] : [{ name: "AGENTRT_HEALTH", value: health }],
    envFrom: [{ secretRef: { name: `${name}-variables` } }],
    ...(open.length === 0
      ? {}
      : {
          ports: open.map(({ port, protocol }) => ({
            containerPort: port,
            protocol: protocol.toUpperCase(),
          })),
        }),
    ...probesOf(deployment, process, health),
    resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "1Gi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [
      ...files.map(({ path, copy }) => mounted(inImage(path), copy)),
      ...(overlay === undefined || overlayPath === undefined
        ? []
        : [mounted(overlayPath, overlay.path)]),
      { name: "data", mountPath: dataFolder },
      { name: "tmp", mountPath: "/tmp" },
      ...folders.written.map((path, index) => ({
        name: `written-${index + 1}`,
        mountPath: inImage(path),
      })),
    ],
  };
}

/** Only a process that hangs is started again; one whose gateway waits for a broker is only not ready. */
function probesOf(
  { ports }: Deployment,
  { group }: DeployedProcess,
  health: string | undefined,
): object {
  if (health === undefined) return {};
  const asked = ports.find(({ healthPrefix, port }) => healthPrefix !== undefined && port > 0);
  const often = { periodSeconds: 10, timeoutSeconds: 5 };
  if (group === undefined && asked !== undefined) {
    const get = (path: string): object => ({
      httpGet: { path: `${asked.healthPrefix ?? ""}${path}`, port: asked.port },
    });
    return {
      startupProbe: { ...get("/health"), periodSeconds: 2, failureThreshold: 60 },
      livenessProbe: { ...get("/health"), ...often },
      readinessProbe: { ...get("/ready"), periodSeconds: 2, timeoutSeconds: 5 },
    };
  }
  return { readinessProbe: { exec: { command: ["node", healthProgram] }, ...often } };
}

/** What others reach of the supervisor: its gateways, and the proxy of ZeroMQ. */
function supervisorService(deployment: Deployment): readonly object[] {
  const { name, ports, transport } = deployment;
  const gateways = ports
    .filter(({ port }) => port > 0)
    .map(({ port, protocol }) => ({
      port,
      protocol: protocol.toUpperCase(),
      name: `${protocol}-${port}`,
    }));
  const hasProxy = transport.type === "zmq" && transport.isProxyStarted;
  const proxy = hasProxy
    ? proxyPorts(deployment).map((port) => ({ port, protocol: "TCP", name: `zmq-${port}` }))
    : [];
  const open = [...gateways, ...proxy];
  if (open.length === 0) return [];
  const labels = labelsOf(name, "supervisor");
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: `${name}-supervisor`, labels },
      // Workers connect before the gateways are ready.
      spec: { selector: labels, ports: open, publishNotReadyAddresses: hasProxy },
    },
  ];
}

/** Of one process: states of others are in files of theirs. */
function volumeClaim({ name }: Deployment, { service }: DeployedProcess): object {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: `${name}-${service}`, labels: labelsOf(name, service) },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: storageSize } } },
  };
}

/** The processes find it by the host of `NATS_URL`: `nats`. */
function broker({ name, usesJetStream }: Deployment): readonly object[] {
  const labels = labelsOf(name, "nats");
  const storage = usesJetStream ? ["--jetstream", "--store_dir", "/data"] : [];
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "nats", labels },
      spec: {
        selector: labels,
        ports: [
          { name: "client", port: 4222, protocol: "TCP" },
          { name: "monitoring", port: 8222, protocol: "TCP" },
        ],
      },
    },
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: `${name}-nats`, labels },
      spec: {
        serviceName: "nats",
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            automountServiceAccountToken: false,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: nodeUser,
              fsGroup: nodeUser,
              seccompProfile: { type: "RuntimeDefault" },
            },
            containers: [brokerContainer(storage)],
          },
        },
        volumeClaimTemplates: [
          {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            metadata: { name: "data" },
            spec: {
              accessModes: ["ReadWriteOnce"],
              resources: { requests: { storage: storageSize } },
            },
          },
        ],
      },
    },
  ];
}

function brokerContainer(storage: readonly string[]): object {
  return {
    name: "nats",
    image: brokerImage,
    args: ["--http_port", "8222", ...storage],
    ports: [
      { containerPort: 4222, name: "client" },
      { containerPort: 8222, name: "monitoring" },
    ],
    livenessProbe: {
      httpGet: { path: "/healthz", port: 8222 },
      periodSeconds: 10,
      timeoutSeconds: 5,
    },
    readinessProbe: {
      httpGet: { path: "/healthz", port: 8222 },
      periodSeconds: 2,
      timeoutSeconds: 5,
    },
    resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "512Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [{ name: "data", mountPath: "/data" }],
  };
}
