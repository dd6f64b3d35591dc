import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { createRealSystem, reasonOf } from "../../core/index.ts";
import type { CommandInput, CommandIo, CommandSpec } from "../command.ts";
import { processGroups } from "../../topology/index.ts";
import { cliErrors } from "../errors.ts";
import { loadTopology, topologyFlags, topologyPaths } from "../topologies/index.ts";

const keyDirDefault = "agentrt-keys";
const natsDefaults = {
  cert: `./${keyDirDefault}/nats.crt`,
  key: `./${keyDirDefault}/nats.key`,
  ca: `./${keyDirDefault}/ca.crt`,
} as const;

/** A file of keys. */
interface KeyFile {
  readonly name: string;
  readonly content: string;
  /** Only its owner may read it. */
  readonly isSecret: boolean;
}

/** `agentrt security init`. */
export const securityInitCommand: CommandSpec = {
  words: ["security", "init"],
  summary:
    "make keys for a transport, or check those that are there, and say what the topology needs",
  arguments: [{ name: "transport", summary: "the transport", choices: ["zmq", "nats", "signing"] }],
  flags: [
    {
      name: "out",
      value: "dir",
      summary: "zmq, signing: where the keys go; it is made if it is not there",
      default: keyDirDefault,
    },
    { name: "force", short: "f", summary: "overwrite keys that are there" },
    ...topologyFlags,
    { name: "cert", value: "path", summary: "nats: TLS certificate", default: natsDefaults.cert },
    { name: "key", value: "path", summary: "nats: TLS private key", default: natsDefaults.key },
    {
      name: "ca",
      value: "path",
      summary: "nats: certificate of the authority that signs servers and clients",
      default: natsDefaults.ca,
    },
  ],
  examples: [
    [
      "agentrt security init zmq",
      "writes key pairs and the list of clients that may connect to ./agentrt-keys, and prints what the topology needs",
    ],
    [
      "agentrt security init signing",
      "writes keys that sign messages for the supervisor and each process group of ./topology.yaml",
    ],
    ["agentrt security init zmq --out /etc/agentrt/keys --force", "puts new keys in place of old"],
    [
      "agentrt security init nats --cert client.pem --key client.key --ca ca.pem",
      "checks that they belong together and says how long they hold; prints what the topology needs, and writes nothing",
    ],
  ],
  run: async (input, io) => {
    const what = input.argument("transport");
    if (what === "nats") return await initNats(input, io);
    const folder = resolve(io.directory, input.text("out") ?? keyDirDefault);
    const shown = relative(io.directory, folder) || ".";
    const files = what === "zmq" ? await zmqFiles() : await signingKeyFiles(input, io);
    const there = files.filter(({ name }) => existsSync(join(folder, name)));
    if (there.length > 0 && !input.isSet("force")) {
      const names = there.map(({ name }) => name);
      throw new cliErrors.KEYS_THERE({ folder: shown, names });
    }
    writeKeys(folder, files);
    if (what === "zmq") tellKeys(io, shown, files);
    else tellSigningKeys(io, shown, files);
    return 0;
  },
};

/** Nothing is written: keys and certificates of TLS are made by an authority. */
async function initNats(input: CommandInput, io: CommandIo): Promise<number> {
  const { checkNatsTls } = await import("../security/index.ts");
  const given = (name: "cert" | "key" | "ca"): string => input.text(name) ?? natsDefaults[name];
  const files = { cert: given("cert"), key: given("key"), ca: given("ca") };
  const { cert, key, ca } = files;
  const absolute = {
    cert: resolve(io.directory, cert),
    key: resolve(io.directory, key),
    ca: resolve(io.directory, ca),
  };
  for (const line of checkNatsTls(absolute, createRealSystem().nowMs())) io.tell(line);
  io.tell("In the topology:");
  io.print(`security:
  transport:
    nats:
      tls:
        enabled: true
        cert: ${JSON.stringify(cert)}
        key: ${JSON.stringify(key)}
        ca: ${JSON.stringify(ca)}
`);
  return 0;
}

/** Keys of the supervisor and of each process group of the topology. */
async function signingKeyFiles(input: CommandInput, io: CommandIo): Promise<readonly KeyFile[]> {
  const { makeSigningKeys, signingFiles } = await import("../../composition/index.ts");
  const { topology } = await loadTopology({ paths: topologyPaths(input), input, io });
  const processes = new Set(["supervisor", ...processGroups(topology)]);
  return [...processes].flatMap((process) => {
    const { seed, publicKey } = makeSigningKeys();
    const names = signingFiles(process);
    return [
      { name: names.secret, content: `${seed}\n`, isSecret: true },
      { name: names.public, content: `${publicKey}\n`, isSecret: false },
    ];
  });
}

async function zmqFiles(): Promise<readonly KeyFile[]> {
  const { makeCurveKeys } = await import("../../links/index.ts");
  const [server, client] = [await makeCurveKeys(), await makeCurveKeys()];
  const allowed = `# Public keys of the processes that may connect to the proxy, one a line.\n${client.publicKey} client\n`;
  return [
    { name: "zmq_server.pub", content: `${server.publicKey}\n`, isSecret: false },
    { name: "zmq_server.key", content: `${server.secretKey}\n`, isSecret: true },
    { name: "zmq_client.pub", content: `${client.publicKey}\n`, isSecret: false },
    { name: "zmq_client.key", content: `${client.secretKey}\n`, isSecret: true },
    { name: "zmq_allowed_clients.txt", content: allowed, isSecret: false },
  ];
}

/** Writes all files, each whole: a reader never sees a part, and never an old secret's permissions. */
function writeKeys(folder: string, files: readonly KeyFile[]): void {
  const drafts: string[] = [];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { name, content, isSecret } of files) {
      const draft = join(folder, `${name}.${process.pid}.draft`);
      mkdirSync(dirname(draft), { recursive: true, mode: 0o700 });
      const mode = isSecret ? 0o600 : 0o644;
      writeFileSync(draft, content, { flag: "wx", mode });
      drafts.push(draft);
      chmodSync(draft, mode);
    }
    for (const [index, draft] of drafts.entries())
      renameSync(draft, join(folder, files[index]?.name ?? ""));
  } catch (cause) {
    for (const draft of drafts) rmSync(draft, { force: true });
    throw new cliErrors.KEYS_UNWRITTEN({ folder, reason: reasonOf(cause) }, { cause });
  }
}

/** The same for keys that sign. */
function tellSigningKeys(io: CommandIo, folder: string, files: readonly KeyFile[]): void {
  tellFiles(io, folder, files);
  io.tell("A process needs its id_ed25519, and the id_ed25519.pub of all others. In the topology:");
  io.print(`security:
  signing:
    enabled: true
  identity:
    mode: provisioned
    key_dir: ${JSON.stringify(folder)}
`);
}

function tellFiles(io: CommandIo, folder: string, files: readonly KeyFile[]): void {
  for (const { name, isSecret } of files)
    io.tell(`${join(folder, name)}${isSecret ? "  (secret, mode 600)" : ""}`);
}

/** The names of the files for people; what goes into the topology for a script. */
function tellKeys(io: CommandIo, folder: string, files: readonly KeyFile[]): void {
  tellFiles(io, folder, files);
  io.tell(
    "The supervisor needs all of them; a worker zmq_server.pub, zmq_client.pub and zmq_client.key. In the topology:",
  );
  io.print(`security:
  transport:
    zmq:
      curve:
        key_dir: ${JSON.stringify(folder)}
`);
}
