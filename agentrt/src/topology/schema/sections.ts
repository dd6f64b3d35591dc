import { z } from "zod";
import { budgetField } from "./budget-field.ts";
import {
  anyMapping,
  flag,
  list,
  mapping,
  oneOf,
  seconds,
  text,
  textLike,
  textMapping,
  wholeNumber,
} from "./fields.ts";

const zmqAddress = () =>
  textLike(/^(?:tcp|ipc):\/\/\S+$/, "a ZeroMQ address such as tcp://127.0.0.1:5559");
const natsUrl = () =>
  textLike(/^(?:nats|tls|wss?):\/\/\S+$/, "a server URL such as nats://localhost:4222");

/** Schema of `transport:`. */
export const transportSchema = mapping({
  type: oneOf(["in_process", "zmq", "nats"]).default("in_process"),
  pub_addr: zmqAddress().default("tcp://127.0.0.1:5559"),
  sub_addr: zmqAddress().default("tcp://127.0.0.1:5560"),
  start_proxy: flag().default(true),
  servers: z
    .union([natsUrl(), z.array(natsUrl()).min(1)], {
      error: "a server URL such as nats://localhost:4222, or a list of them",
    })
    .default("nats://localhost:4222"),
  jetstream: flag().default(false),
  stream_name: textLike(/^[\w-]+$/, "letters, digits, dashes and underscores").default("AGENCY"),
  replicas: wholeNumber({ min: 1, max: 5 }).default(1),
});

/** The transport each key of `transport:` belongs to. */
export const transportOfKey: { readonly [key: string]: "zmq" | "nats" } = {
  pub_addr: "zmq",
  sub_addr: "zmq",
  start_proxy: "zmq",
  servers: "nats",
  jetstream: "nats",
  stream_name: "nats",
  replicas: "nats",
};

const pluginType = () => text("a built-in name, a short name or the path of a class");

/** Schema of a store inside another one. */
export const wrappedStoreSchema = mapping({ type: pluginType(), config: anyMapping().optional() });

const pluginSchema = mapping({
  type: pluginType(),
  name: text().optional(),
  config: anyMapping().optional(),
});

/** Schema of `plugins:`. */
export const pluginsSchema = mapping({
  models: list(pluginSchema, "a list of plugins").nullish(),
  exporters: list(pluginSchema, "a list of plugins").nullish(),
  state: pluginSchema.nullish(),
});

const syslogFacilities: [string, ...string[]] = [
  "local0",
  "local1",
  "local2",
  "local3",
  "local4",
  "local5",
  "local6",
  "local7",
  "kern",
  "user",
  "mail",
  "daemon",
  "auth",
  "syslog",
  "lpr",
  "news",
  "uucp",
  "cron",
  "authpriv",
  "ftp",
  "audit",
];

/** Schema of `audit:`. */
export const auditSchema = mapping({
  sink: oneOf(["jsonl", "syslog", "otlp", "null"]).nullish(),
  path: text().optional(),
  sync_writes: flag().optional(),
  batch_size: wholeNumber({ min: 1, max: 10_000 }).optional(),
  flush_interval: seconds({ isZeroAllowed: true }).optional(),
  address: textLike(
    /^(?:\/.+|(?:udp|tcp):\/\/(?:\[[0-9a-fA-F:]+\]|[^\s:/[\]]+)(?::\d{1,5})?)$/,
    "udp://host:port, tcp://host:port, or the path of a stream socket",
  ).optional(),
  facility: oneOf(syslogFacilities, "lower").optional(),
  endpoint: textLike(/^https?:\/\/\S+$/, "a URL such as http://localhost:4318").optional(),
  service_name: text().optional(),
});

/** Schema of `security:`. */
export const securitySchema = mapping({
  transport: mapping({
    zmq: mapping({
      curve: mapping({
        enabled: flag().optional(),
        server_public_key: text().optional(),
        server_secret_key: text().optional(),
        client_public_key: text().optional(),
        client_secret_key: text().optional(),
        key_dir: text().optional(),
        allowed_clients: text().optional(),
      }).optional(),
    }).optional(),
    nats: mapping({
      tls: mapping({
        enabled: flag().optional(),
        cert: text().optional(),
        key: text().optional(),
        ca: text().optional(),
      }).optional(),
      nkey_seed: text().optional(),
    }).optional(),
  }).optional(),
  signing: mapping({
    enabled: flag().optional(),
    algorithm: oneOf(["ed25519"]).optional(),
    require_verification: flag().optional(),
    allow_unsigned: flag().optional(),
    max_age: seconds({ isZeroAllowed: false }).optional(),
  }).optional(),
  identity: mapping({
    mode: oneOf(["auto", "provisioned"]).optional(),
    key_dir: text().optional(),
  }).optional(),
});

const variableName = () => textLike(/^[A-Za-z_]\w*$/, "the name of an environment variable");
const headerVariables = () =>
  z.record(z.string(), variableName(), {
    error: "a mapping from header names to the names of environment variables",
  });

/** Keys of a tool server, by the transports they belong to. */
const programKeys = ["command", "args", "env", "env_from"] as const;
const urlKeys = ["url", "headers_from"] as const;

const mcpServerSchema = mapping({
  name: textLike(/^[\w.-]+$/, "letters, digits, dots, dashes and underscores"),
  transport: oneOf(["stdio", "http", "sse"]).optional(),
  command: text().optional(),
  args: list(z.string({ error: "a string" }), "a list of strings").optional(),
  env: textMapping().optional(),
  env_from: list(variableName(), "a list of names of environment variables").optional(),
  url: textLike(/^https?:\/\/\S+$/, "a URL such as https://tools.example/mcp").optional(),
  headers_from: headerVariables().optional(),
  timeout: seconds({ isZeroAllowed: false }).optional(),
  sandbox: mapping({
    enabled: flag().optional(),
    network: oneOf(["deny", "allow"]).optional(),
    filesystem: list(text(), "a list of path:ro or path:rw").optional(),
  }).optional(),
}).superRefine((server, context) => {
  const refuse = (key: string, message: string): void =>
    context.addIssue({ code: "custom", path: [key], message });
  const isUrl = server.transport === "http" || server.transport === "sse";
  const wanted = isUrl ? "url" : "command";
  if (server[wanted] === undefined) {
    const transport = server.transport ?? "stdio";
    refuse(wanted, `a ${wanted}, for transport ${transport} needs one`);
  }
  for (const key of isUrl ? programKeys : urlKeys) {
    if (server[key] !== undefined)
      refuse(key, `no ${key}: it belongs to transport ${isUrl ? "stdio" : "http or sse"}`);
  }
});

/** Schema of `mcp:`. */
export const mcpSchema = mapping({
  servers: list(mcpServerSchema, "a list of servers")
    .superRefine((servers, context) => {
      const names = new Set<string>();
      servers.forEach(({ name }, index) => {
        if (names.has(name))
          context.addIssue({ code: "custom", path: [index, "name"], message: "a unique name" });
        names.add(name);
      });
    })
    .optional(),
});

/** Schema of `shutdown:`. */
export const shutdownSchema = mapping({
  lame_duck: seconds({ isZeroAllowed: true }).default(0),
  grace: seconds({ isZeroAllowed: true }).optional(),
});

const ratio = () => {
  const error = "a number from 0 to 1";
  return z.number({ error }).min(0, { error }).max(1, { error });
};

/** Schema of `tracing:`. */
export const tracingSchema = mapping({
  sample_ratio: ratio().optional(),
  parent_based: flag().optional(),
});

/** Schema of a supervisor's own keys; its children are read one by one. */
export const supervisorSchema = mapping({
  strategy: oneOf(["ONE_FOR_ONE", "ONE_FOR_ALL", "REST_FOR_ONE"], "upper").default("ONE_FOR_ONE"),
  max_restarts: wholeNumber({ min: 0 }).default(3),
  restart_window: seconds({ isZeroAllowed: false }).default(60),
  backoff: oneOf(["CONSTANT", "LINEAR", "EXPONENTIAL"], "upper").default("CONSTANT"),
  backoff_base: seconds({ isZeroAllowed: true }).default(1),
  backoff_max: seconds({ isZeroAllowed: true }).default(60),
  budget: budgetField(["run", "hour"]).optional(),
});
