import { isSecretName, type JsonObject, type JsonValue } from "../core/index.ts";
import { isSupervisorNode, type Topology, walkTree } from "../topology/index.ts";
import {
  anthropicKinds,
  encryptedStateKind,
  openAiKinds,
  otlpExporterKind,
} from "./plugins/index.ts";

/** A variable of the environment that a topology names, or that what it names reads. */
interface NamedVariable {
  readonly name: string;
  /** What it is for. */
  readonly remark: string;
  /** Whether its value is a key or the like. */
  readonly isSecret: boolean;
}

/** Finds the variables that the processes of a topology read; one may be there more than once. */
export function* namedVariables(topology: Topology): Generator<NamedVariable> {
  yield* pluginVariables(topology);
  yield* nodeVariables(topology);
  yield* toolVariables(topology);
}

/** @returns The names of those whose values are keys or the like, whatever the names are. */
export function secretVariables(topology: Topology): ReadonlySet<string> {
  const found = [...namedVariables(topology)].filter(({ isSecret }) => isSecret);
  return new Set(found.map(({ name }) => name));
}

function* pluginVariables({ plugins }: Topology): Generator<NamedVariable> {
  for (const { type, name, config } of plugins.models) {
    const given = config["api_key_env"];
    const variable = typeof given === "string" ? given : usualKey(type);
    if (variable !== undefined)
      yield { name: variable, remark: `key of model provider ${name ?? type}`, isSecret: true };
  }
  for (const { type, config } of plugins.exporters) {
    if (type === otlpExporterKind.name && config["endpoint"] === undefined)
      yield {
        name: "OTEL_EXPORTER_OTLP_ENDPOINT",
        remark: "the collector of spans",
        isSecret: false,
      };
    for (const name of namesIn(config))
      yield { name, remark: `of exporter ${type}`, isSecret: true };
  }
  if (plugins.state?.type === encryptedStateKind.name) {
    const { key_env: variable, keys } = plugins.state.config;
    const names = [...textsIn(keys), ...textsIn(variable)];
    for (const name of names.length === 0 ? ["AGENTRT_STATE_KEY"] : names)
      yield { name, remark: "key of the states that are kept", isSecret: true };
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

function* nodeVariables({ supervision }: Topology): Generator<NamedVariable> {
  for (const node of walkTree(supervision)) {
    if (isSupervisorNode(node)) continue;
    for (const text of textsIn(node.declared)) {
      const name = middlewareVariables[text];
      if (name !== undefined)
        yield { name, remark: `of ${node.name}: ${text}`, isSecret: isSecretName(name) };
    }
    const { credentials } = node.declared;
    for (const name of textsIn(credentials))
      yield { name, remark: `credentials of ${node.name}`, isSecret: true };
  }
}

function* toolVariables({ toolServers }: Topology): Generator<NamedVariable> {
  for (const { name: server, env_from: names = [], headers_from: headers = {} } of toolServers) {
    const remark = `of tool server ${server}`;
    for (const name of names) yield { name, remark, isSecret: isSecretName(name) };
    for (const name of Object.values(headers)) yield { name, remark, isSecret: true };
  }
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
