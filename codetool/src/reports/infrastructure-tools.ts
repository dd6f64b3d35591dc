import {
  parseDockerBuild,
  parseGitLog,
  parseKubectl,
  parseLogs,
  parseNpmInstall,
  parseNpmLs,
  parsePipInstall,
  parseTerraform,
} from "./parsers/index.ts";
import type { Tool } from "./tool.ts";

/** Infrastructure, packages, containers, history. */
export const infrastructureTools: readonly Tool[] = [
  {
    id: "docker_build",
    title: "docker build, BuildKit, podman build",
    family: "infrastructure",
    commands: [
      "docker build",
      "docker buildx build",
      "docker image build",
      "docker builder build",
      "docker compose build",
      "docker-compose build",
      "podman build",
      "buildah build",
      "buildah bud",
    ],
    signature: /^#\d+ \[internal\] load build definition|^Sending build context to Docker daemon/m,
    parse: parseDockerBuild,
  },
  {
    id: "kubectl_logs",
    title: "kubectl logs, docker logs",
    family: "infrastructure",
    commands: [
      "kubectl logs",
      "oc logs",
      "docker logs",
      "docker compose logs",
      "docker-compose logs",
      "podman logs",
    ],
    parse: parseLogs,
  },
  {
    id: "kubectl",
    title: "kubectl",
    family: "infrastructure",
    commands: ["kubectl", "oc"],
    parse: parseKubectl,
    json: {
      flags: ["-o=json"],
      commands: ["kubectl get", "oc get"],
      conflict: /^(?:-o|--output|-w$|--watch|--raw|--template)/,
    },
  },
  {
    id: "npm_ls",
    title: "npm ls",
    family: "infrastructure",
    commands: ["npm ls", "npm list", "npm la", "npm ll"],
    parse: parseNpmLs,
    json: { flags: ["--json"], conflict: /^--(?:json|parseable|long)|^-[pl]$/ },
  },
  {
    id: "npm_install",
    title: "npm install, npm ci",
    family: "infrastructure",
    commands: ["install", "i", "ci", "add", "update", "uninstall", "remove", "rm"].map(
      (word) => `npm ${word}`,
    ),
    parse: parseNpmInstall,
  },
  {
    id: "pip_install",
    title: "pip install",
    family: "infrastructure",
    commands: ["pip install", "pip3 install", "uv pip install"],
    parse: parsePipInstall,
  },
  {
    id: "git_log",
    title: "git log",
    family: "infrastructure",
    commands: ["git log"],
    parse: parseGitLog,
  },
  {
    id: "terraform",
    title: "Terraform, OpenTofu",
    family: "infrastructure",
    commands: ["terraform", "tofu"],
    signature: /^(?:Plan: \d+ to (?:add|import), |(?:Apply|Destroy) complete! Resources: )/m,
    parse: parseTerraform,
    // `apply -json` refuses to run without `-auto-approve`.
    json: {
      flags: ["-json"],
      commands: [
        ...["plan", "validate", "refresh"].map((word) => `terraform ${word}`),
        ...["plan", "validate", "refresh"].map((word) => `tofu ${word}`),
      ],
      conflict: /^--?json/,
    },
  },
];
