import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import process from "node:process";
import { createRealSystem, reasonOf } from "../../core/index.ts";
import type { CommandInput, CommandIo, CommandSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";

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
  arguments: [{ name: "transport", summary: "the transport", choices: ["zmq", "nats"] }],
  flags: [
    {
      name: "out",
      value: "dir",
      summary: "zmq: where the keys go; it is made if it is not there",
      default: keyDirDefault,
    },
    { name: "force", short: "f", summary: "overwrite keys that are there" },
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
    ["agentrt security init zmq --out /etc/agentrt/keys --force", "puts new keys in place of old"],
    [
      "agentrt security init nats --cert client.pem --key client.key --ca ca.pem",
      "checks that they belong together and says how long they hold; prints what the topology needs, and writes nothing",
    ],
  ],
  run: async (input, io) => {
    if (input.argument("transport") === "nats") return await initNats(input, io);
    const folder = resolve(io.directory, input.text("out") ?? keyDirDefault);
    const shown = relative(io.directory, folder) || ".";
    const files = await zmqFiles();
    const there = files.filter(({ name }) => existsSync(join(folder, name)));
    if (there.length > 0 && !input.isSet("force")) {
      const names = there.map(({ name }) => name);
      throw new cliErrors.KEYS_THERE({ folder: shown, names });
    }
    writeKeys(folder, files);
    tellKeys(io, shown, files);
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
      const draft = join(folder, `.${name}.${process.pid}`);
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

/** The names of the files for people; what goes into the topology for a script. */
function tellKeys(io: CommandIo, folder: string, files: readonly KeyFile[]): void {
  for (const { name, isSecret } of files)
    io.tell(`${join(folder, name)}${isSecret ? "  (secret, mode 600)" : ""}`);
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
