import type { JsonObject, JsonValue } from "../core/index.ts";
import {
  anthropicKinds,
  encryptedStateKind,
  openAiKinds,
  otlpExporterKind,
} from "../node-kinds/index.ts";
import { isSupervisorNode, type Topology, walkTree } from "../topology/index.ts";

/** A variable of the environment that the processes of a deployment read. */
export interface Variable {
  readonly name: string;
  /** Empty for what has to be filled in. */
  readonly value: string;
  /** What it is for. */
  readonly remark: string;
}

/** Where a broker of the deployment is, for the other processes of it. */
export const brokerUrl = "nats://nats:4222";

/** What variables are found in. */
interface VariableSource {
  readonly topology: Topology;
  /** Names of variables that are put into the topology and that it gives no value; undefined where none are put in. */
  readonly substituted: readonly string[] | undefined;
}

/**
 * Finds the variables that the processes of a topology read, each once.
 *
 * @param source The topology, and what is put into it.
 * @param hasBroker True where a broker is a part of the deployment.
 * @returns Without the values of secrets: those are filled in by people.
 */
export function variablesOf(source: VariableSource, hasBroker: boolean): readonly Variable[] {
  const { topology } = source;
  const { transport } = topology;
  const found = new Map<string, Variable>();
  const add = (name: string, remark: string, value = ""): void => {
    if (!found.has(name)) found.set(name, { name, value, remark });
  };
  add(
    "AGENCY_SERIALIZER",
    "messages between processes: msgpack or json, the same in all of them",
    "msgpack",
  );
  if (transport.type === "nats") {
    const url = hasBroker ? brokerUrl : (transport.servers[0] ?? brokerUrl);
    add("NATS_URL", "the NATS server", url);
  }
  for (const [name, remark] of pluginVariables(topology)) add(name, remark);
  for (const [name, remark] of nodeVariables(topology)) add(name, remark);
  for (const [name, remark] of toolVariables(topology)) add(name, remark);
  for (const name of source.substituted ?? []) add(name, "is put into the topology");
  return [...found.values()];
}

type Found = readonly [name: string, remark: string];

function* pluginVariables({ plugins }: Topology): Generator<Found> {
  for (const { type, name, config } of plugins.models) {
    const given = config["api_key_env"];
    const variable = typeof given === "string" ? given : usualKey(type);
    if (variable !== undefined) yield [variable, `key of model provider ${name ?? type}`];
  }
  for (const { type, config } of plugins.exporters) {
    if (type === otlpExporterKind.name && config["endpoint"] === undefined)
      yield ["OTEL_EXPORTER_OTLP_ENDPOINT", "the collector of spans"];
    for (const name of namesIn(config)) yield [name, `of exporter ${type}`];
  }
  if (plugins.state?.type === encryptedStateKind.name) {
    const { key_env: variable, keys } = plugins.state.config;
    const names = [...textsIn(keys), ...textsIn(variable)];
    for (const name of names.length === 0 ? ["AGENTRT_STATE_KEY"] : names)
      yield [name, "key of the states that are kept"];
  }
}

/** The variable that a provider reads when nothing else is said: by its type, else by what its type reminds of. */
function usualKey(type: string): string | undefined {
  const name = type.toLowerCase();
  if (anthropicKinds.some((kind) => kind.name === type) || name.includes("anthropic"))
    return "ANTHROPIC_API_KEY";
  if (openAiKinds.some((kind) => kind.name === type) || name.includes("openai"))
    return "OPENAI_API_KEY";
  const short = /^([a-z][a-z0-9_-]*)$/.exec(name)?.[1];
  return short === undefined ? undefined : `${short.replaceAll("-", "_").toUpperCase()}_API_KEY`;
}

/** What middleware of this package reads, by its path. */
const middlewareVariables: { readonly [path: string]: string } = {
  "agentrt.gateway.auth.require_api_key": "AGENTRT_GATEWAY_API_KEY",
  "agentrt.gateway.jwt_auth.require_jwt": "AGENTRT_JWT_SECRET",
  "agentrt.gateway.mtls.require_client_cert": "AGENTRT_GATEWAY_MTLS_ALLOWED_DNS",
};

function* nodeVariables({ supervision }: Topology): Generator<Found> {
  for (const node of walkTree(supervision)) {
    if (isSupervisorNode(node)) continue;
    for (const text of textsIn(node.declared)) {
      const variable = middlewareVariables[text];
      if (variable !== undefined) yield [variable, `of ${node.name}: ${text}`];
    }
    const { credentials } = node.declared;
    for (const name of textsIn(credentials)) yield [name, `credentials of ${node.name}`];
  }
}

function* toolVariables({ toolServers }: Topology): Generator<Found> {
  for (const { name, env_from: names = [], headers_from: headers = {} } of toolServers)
    for (const variable of [...names, ...Object.values(headers)])
      yield [variable, `of tool server ${name}`];
}

/** Names under keys such as `headers_from` and `key_env`. */
function* namesIn(config: JsonObject): Generator<string> {
  for (const [key, value] of Object.entries(config))
    if (/_(?:from|env)$/.test(key)) yield* textsIn(value);
}

function* textsIn(value: JsonValue | undefined): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (typeof value === "object" && value !== null)
    for (const item of Object.values(value)) yield* textsIn(item);
}
