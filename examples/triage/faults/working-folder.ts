import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const faults = dirname(fileURLToPath(import.meta.url));
const example = dirname(faults);

/** The ports of the service. */
export interface Ports {
  readonly api: number;
  readonly grpc: number;
  readonly control: number;
  /** Free: the gateway for debugging listens here where somebody adds it. */
  readonly debug: number;
  /** Of the language model. */
  readonly model: number;
}

/** What clients send with each question. */
export const apiKey = "first-key";

/** The agents behind the tickets, as they are laid into the topology of the example. */
const backOffice = `    # Looks up addresses.
    - { name: lookup, type: "./back-office.ts#Lookup" }

    # Keeps each answer, one at a time. It can do more at once: concurrency.
    - { name: archive, type: "./back-office.ts#Archive", concurrency: 1, mailbox_size: 50 }

    # Sends mails.
    - supervisor:
        name: outbox
        max_restarts: 10000
        children:
          - { name: mailer, type: "./back-office.ts#Mailer", config: { server: "smtp://mail.example" } }

    # Pays refunds; a person approves what is more than 500.
    - { name: refunds, type: "./back-office.ts#Refunds" }

    # Sums the day up.
    - { name: digest, type: "./back-office.ts#Digest" }

    # Looks for frauds.
    - { name: fraud, type: "./back-office.ts#Fraud" }

`;

/** Where customers reach them: asked, or told something. */
const routes = ["lookup", "archive", "mailer", "refunds", "digest", "fraud"]
  .map(
    (name) => `        - { method: POST, path: /${name}, agent: ${name} }
        - { method: POST, path: /${name}/later, agent: ${name}, mode: cast }
`,
  )
  .join("");

/**
 * Makes the folder of the hour: the service of the example, with the agents behind it, on free ports.
 *
 * @param path Must not exist yet.
 * @param modelPort Where the language model listens.
 */
export async function makeWorkingFolder(path: string, modelPort: number): Promise<Ports> {
  const [api, grpc, control, debug] = await freePorts(4);
  const ports = { api, grpc, control, debug, model: modelPort } as Ports;
  mkdirSync(path, { recursive: false, mode: 0o700 });
  copyFileSync(join(example, "agents.ts"), join(path, "agents.ts"));
  for (const name of ["back-office.ts", "remote-model.ts"])
    copyFileSync(join(faults, name), join(path, name));
  symlinkSync(packagesFolder(), join(path, "node_modules"), "dir");
  writeFileSync(join(path, "package.json"), '{ "private": true, "type": "module" }\n');
  const stateKey = Buffer.alloc(32, 7).toString("base64");
  writeFileSync(
    join(path, ".env"),
    `AGENTRT_GATEWAY_API_KEYS=${apiKey}\nAGENTRT_STATE_KEY=${stateKey}\n`,
    { mode: 0o600 },
  );
  writeFileSync(join(path, "topology.yaml"), topologyOfHour(ports));
  return ports;
}

function topologyOfHour(ports: Ports): string {
  const text = readFileSync(join(example, "topology.yaml"), "utf8");
  const url = `http://127.0.0.1:${ports.model}/first`;
  return [
    [/ {4}- \{ type: model\.Script \}.*\n/, modelLines(url)],
    [/(?= {4}- name: api\n)/, backOffice],
    [/(?= {6}ws_routes:\n)/, routes],
    ["port: 8080", `port: ${ports.api}`],
    ["grpc_port: 8081", `grpc_port: ${ports.grpc}`],
    ["port: 6789", `port: ${ports.control}, dead_letter_payloads: 100`],
  ].reduce((before, [from, to]) => replaced(before, from ?? "", String(to)), text);
}

function modelLines(url: string): string {
  return `    # A second endpoint of the same model is at ${url.replace("/first", "/second")}.
    - { type: "./remote-model.ts#Endpoint", config: { url: "${url}" } }
`;
}

/**
 * A text with another one in place of a part of it.
 *
 * @throws Error when the part is not there: the example has changed.
 */
export function replaced(text: string, from: string | RegExp, to: string): string {
  const after = text.replace(from, () => to);
  if (after === text) throw new Error(`the topology has no ${String(from)}`);
  return after;
}

/** The nearest folder of packages in which the example finds what it needs. */
function packagesFolder(): string {
  for (let folder = example; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules");
    if (existsSync(join(found, "zod"))) return found;
    if (folder === dirname(folder)) throw new Error(`run npm install in ${example}`);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, "127.0.0.1", () => {
            const address = server.address();
            resolve(typeof address === "object" && address !== null ? address.port : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
