import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { CommandInput, CommandIo, CommandSpec, FlagSpec } from "../command.ts";
import { jsonFlag } from "../command.ts";
import type { DeployedFile, Deployment } from "../../deploy/index.ts";
import { topologyFlags } from "../topologies/index.ts";

const flagsOf = (output: string): readonly FlagSpec[] => [
  ...topologyFlags,
  {
    name: "output",
    value: "dir",
    summary: "where the files go; it is made if it is not there",
    default: `./${output}`,
  },
  {
    name: "transport",
    value: "type",
    summary:
      "another transport than the file says; default where it names none and has process groups: zmq",
    choices: ["in_process", "zmq", "nats"],
  },
  { name: "force", short: "f", summary: "overwrite files that are there" },
  jsonFlag,
];

/** A form of deployment: what it is called, and what writes it down. */
interface DeploymentForm {
  readonly word: string;
  /** Folder of the files, unless another one is given. */
  readonly output: string;
  readonly summary: string;
  readonly examples: CommandSpec["examples"];
  readonly files: (
    deployment: Deployment,
    places: { readonly project: string; readonly folder: string },
  ) => Promise<readonly DeployedFile[]>;
  /** What people do next, in the folder of the deployment. */
  readonly next: (deployment: Deployment) => readonly string[];
}

const forms: readonly DeploymentForm[] = [
  {
    word: "container-compose",
    output: "deploy",
    summary: "write what runs a topology in containers, by Compose",
    examples: [
      [
        "agentrt deploy container-compose",
        "writes ./deploy: compose.yaml, Dockerfile, .env and a copy of ./topology.yaml",
      ],
      [
        "agentrt deploy container-compose -t base.yaml -t production.yaml --output /srv/shop",
        "writes it elsewhere, for a file with another one laid over it",
      ],
      ["agentrt deploy container-compose --force", "writes all of it again, .env included"],
    ],
    files: async (deployment) => (await import("../../deploy/index.ts")).composeFiles(deployment),
    next: () => ["docker compose up --build --detach --wait"],
  },
  {
    word: "kubernetes",
    output: "deploy-kubernetes",
    summary: "write what runs a topology on Kubernetes, by Kustomize",
    examples: [
      [
        "agentrt deploy kubernetes",
        "writes ./deploy-kubernetes: kustomization.yaml, workloads.yaml, Dockerfile, .env and a copy of ./topology.yaml",
      ],
    ],
    files: async (deployment) =>
      (await import("../../deploy/index.ts")).kubernetesFiles(deployment),
    next: ({ name, project }) => [
      `docker build --tag ${name} --file Dockerfile ${project.path}    (push it to where the cluster finds it)`,
      "kubectl apply --kustomize .",
    ],
  },
  {
    word: "systemd",
    output: "deploy-systemd",
    summary: "write units that run a topology on this machine, by systemd",
    examples: [
      [
        "agentrt deploy systemd",
        "writes ./deploy-systemd: a service for each process, a target for all of them, and .env",
      ],
    ],
    files: async (deployment, { project, folder }) => {
      const { systemdFiles } = await import("../../deploy/index.ts");
      return systemdFiles(deployment, {
        project,
        deployment: folder,
        program: [process.execPath, launcherIn(project)],
        user: userInfo().username,
      });
    },
    next: ({ name }) => [
      `sudo cp ${name}.target ${name}-*.service /etc/systemd/system/`,
      "sudo systemctl daemon-reload",
      `sudo systemctl enable --now ${name}.target`,
    ],
  },
];

/** `agentrt deploy container-compose`, and the other forms. */
export const deployCommands: readonly CommandSpec[] = forms.map((form) => ({
  words: ["deploy", form.word],
  summary: form.summary,
  flags: flagsOf(form.output),
  examples: form.examples,
  run: async (input, io) => await deploy(form, input, io),
}));

async function deploy(form: DeploymentForm, input: CommandInput, io: CommandIo): Promise<number> {
  const { readDeployment, writeDeployment } = await import("../deployment/index.ts");
  const output = input.text("output") ?? form.output;
  const deployment = await readDeployment({ input, io, output });
  const folder = resolve(io.directory, output);
  const project = resolve(folder, deployment.project.path);
  const files = await form.files(deployment, { project, folder });
  const shown = writeDeployment(files, { folder: output, isForced: input.isSet("force"), io });
  const { processes, hasBroker, notes } = deployment;
  if (input.isSet("json")) {
    const body = {
      folder: shown,
      files: files.map(({ path }) => path),
      processes: processes.map(({ service, group, agents }) => ({
        service,
        process: group ?? null,
        agents,
      })),
      broker: hasBroker,
      notes,
    };
    io.print(`${JSON.stringify(body, undefined, 2)}\n`);
    return 0;
  }
  for (const note of notes) io.tell(`note: ${note}`);
  io.print(summaryOf(form, { shown, files, deployment, io }));
  return 0;
}

/** The launcher of the project's own agentrt, else of this one. */
function launcherIn(project: string): string {
  const own = join(project, "node_modules", "agentrt", "bin", "agentrt.cjs");
  return existsSync(own) ? own : resolve(process.argv[1] ?? own);
}

function summaryOf(
  form: DeploymentForm,
  written: {
    readonly shown: string;
    readonly files: readonly DeployedFile[];
    readonly deployment: Deployment;
    readonly io: CommandIo;
  },
): string {
  const { shown, files, deployment, io } = written;
  const { processes, hasBroker, variables } = deployment;
  const open = variables.filter(({ value }) => value === "").map(({ name }) => name);
  const rows = processes.map(({ service, agents }) => `  ${service}: ${agents.join(", ")}`);
  const count = processes.length + (hasBroker ? 1 : 0);
  return [
    `${io.style.green("✓")} Wrote ${shown}`,
    ...files.map(({ path, isSecret }) => `  ${path}${isSecret === true ? "  (mode 600)" : ""}`),
    "",
    `${count === 1 ? "1 process" : `${count} processes`}${hasBroker ? ", one of them the NATS server" : ""}:`,
    ...rows,
    "",
    "Next steps:",
    `  cd ${/^[\w./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`}`,
    ...(open.length === 0 ? [] : [`  fill in .env: ${open.join(", ")}`]),
    ...form.next(deployment).map((line) => `  ${line}`),
    "",
  ].join("\n");
}
