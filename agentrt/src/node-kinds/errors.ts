import { defineErrors } from "../core/index.ts";

/** Errors of turning a topology into a running tree. */
export const compositionErrors = defineErrors("AGENTRT_COMPOSITION", {
  NOT_A_SPAWN_HOOK: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; type: string; at: string }) =>
      `${d.at}: Cannot build "${d.node}": on_spawn_requested "${d.type}" has no method onSpawnRequested`,
    remedy: "Give the class the method onSpawnRequested(class, name, config, context)",
  },
  NOT_AN_AGENT: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { node: string; type: string; wanted: string; at: string }) =>
      `${d.at}: Cannot build "${d.node}": the class of "${d.type}" does not extend ${d.wanted}`,
    remedy: 'Export a class that extends it, imported from "agentrt"',
  },
  CLASS_NOT_LOADED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { at: string; reason: string }) => `${d.at}: ${d.reason}`,
    remedy: "Correct the type, or the module behind it",
  },
  VARIABLE_MISSING: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { at: string; owner: string; variable: string }) =>
      `${d.at}: cannot use ${d.owner}: the environment variable ${d.variable} is not set`,
    remedy: "Set the variable where `agentrt run` starts",
  },
  KEY_NOT_SERVED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { first: string; useCount: number }) =>
      `${d.first}: this version does not serve it yet, and will not start without it${d.useCount > 1 ? ` (and ${d.useCount - 1} more)` : ""}`,
    remedy: "Remove the key, or run a version that serves it",
  },
  TRANSPORT_KEY: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { section: string; key: string; reason: string }) =>
      `Cannot use ${d.key} of ${d.section}: ${d.reason}`,
    remedy:
      "Correct the path, or set the variable; `agentrt security init zmq` makes keys for ZeroMQ",
  },
  NO_PROCESS: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { process: string; file: string; known: readonly string[] }) =>
      `Cannot run process "${d.process}" of ${d.file}: no agent belongs to it${d.known.length === 0 ? ", and no agent names a process" : `; there are ${d.known.map((name) => `"${name}"`).join(", ")}`}`,
    remedy: "Correct --process, or name the process group at an agent: `process: <name>`",
  },
  JOIN_ADDRESS: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { address: string; wanted: string }) =>
      `Cannot join a supervisor at "${d.address}": ${d.wanted}`,
    remedy: "Give --worker the URL of the broker where the supervisor is",
  },
  JOIN_PROCESS: {
    exitCode: 2,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { known: readonly string[] }) =>
      `Cannot join a supervisor: its tree has ${d.known.length === 0 ? "no process groups" : `several process groups: ${d.known.map((name) => `"${name}"`).join(", ")}`}`,
    remedy: "Name one of them: --process <name>",
  },
  STORE_NOT_SHARED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { at: string; agent: string; process: string; store: string }) =>
      `Cannot run "${d.agent}" on the workers of "${d.process}" (${d.at}): the state store ${d.store} keeps no states that several processes share`,
    remedy:
      "Use `plugins.state: { type: sqlite }` for workers of one machine, postgres or nats_kv for several; or remove `process`",
  },
  NOT_A_STATE_STORE: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { at: string; type: string; missing: string }) =>
      `${d.at}: Cannot use "${d.type}" as the state store: it has no ${d.missing}`,
    remedy: "Export a class with get, set, delete, listAgents and close, as StateStore says",
  },
  STATE_STORE_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { at: string; type: string; reason: string }) =>
      `${d.at}: Cannot make state store "${d.type}": ${d.reason}`,
    remedy: "Correct its config, or the class; the constructor gets config as its one argument",
  },
  EXPORTER_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { at: string; type: string; reason: string }) =>
      `${d.at}: cannot use "${d.type}" as an exporter: ${d.reason}`,
    remedy: "Export a class with a method export(records), whose constructor takes the config",
  },
  MODEL_FAILED: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { at: string; type: string; reason: string }) =>
      `${d.at}: Cannot make model provider "${d.type}": ${d.reason}`,
    remedy:
      "Correct its config, or the class: it has the method chat of ModelProvider, and its constructor gets config as its one argument",
  },
  MODEL_UNKNOWN: {
    exitCode: 1,
    httpStatus: 500,
    isRetryable: false,
    message: (d: { type: string }) =>
      `Cannot make model provider "${d.type}": built in are anthropic (llm_provider_a) and openai (llm_provider_b)`,
    remedy: "Correct the type, or give { name, provider } with an object of your own",
  },
});
