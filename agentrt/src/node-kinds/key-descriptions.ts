import type { KeyDescriptions } from "../topology/schema/field-json-schema.ts";

/** Keys that the gateway and the topology server have in common. */
const listenerDescriptions: KeyDescriptions = {
  host: "Address to listen on.",
  port: "Port to listen on; 0 lets the system choose.",
  tls_cert: "File of the server's certificate.",
  tls_key: "File of the server's private key.",
  auth: "Who may ask.",
  "auth.middleware": "Middleware that every request passes, the health check apart.",
  "auth.tls_ca_cert": "File of the authority that signs clients' certificates.",
  "auth.client_cert_mode": "Whether clients show a certificate.",
  "auth.mtls": "Where a client's certificate is found.",
  "auth.mtls.mtls_source": "direct: of the connection. proxy_header: in a header of a proxy.",
  "auth.mtls.trusted_proxy_cidrs": "Ranges of proxies whose word about clients is taken.",
};

/** Keys of the built-in model providers. */
const modelDescriptions: KeyDescriptions = {
  api_key: "Always null: keys come from the environment alone.",
  api_key_env:
    "Environment variable that holds the key; by default ANTHROPIC_API_KEY or OPENAI_API_KEY.",
  default_model: "The model of calls that name none.",
  max_tokens: "Most tokens of an answer; of anthropic by default 4096.",
  max_retries: "Attempts after the first one, of requests that a repetition may mend.",
  base_url: "Where the server is; by default the vendor's own.",
  timeout: "Seconds to wait for an answer, and between two parts of a streamed one.",
  prices:
    "US dollars per million tokens (input, output, cached_input), by model id or the beginning of one.",
};

/** What the settings of each kind of node, and of each built-in plugin, are for. */
export const kindKeyDescriptions: KeyDescriptions = {
  "plugins.state.config(sqlite).db_path": "The database file, relative to the working directory.",
  "plugins.state.config(sqlite).durability":
    "normal: a checkpoint survives the process. strict: it survives the machine, too.",
  "plugins.state.config(postgres).url": "URL of the database.",
  "plugins.state.config(postgres).min_size": "Connections kept open.",
  "plugins.state.config(postgres).max_size": "Connections at most.",
  "plugins.state.config(postgres).timeout": "Seconds that an operation may take.",
  "plugins.state.config(encrypted).store": "The store that keeps the encrypted states.",
  "plugins.state.config(encrypted).store.type": "A built-in store or the path of a class.",
  "plugins.state.config(encrypted).store.config": "What that store takes.",
  "plugins.state.config(encrypted).allow_plaintext_read":
    "Whether states that are not encrypted are read; the next checkpoint encrypts them.",
  "plugins.state.config(encrypted).key_env": "Environment variable that holds the key.",
  "plugins.state.config(encrypted).keys":
    "For rotation: environment variables that hold the keys, by key id.",
  "plugins.state.config(encrypted).current_key_id": "Id of the key that encrypts.",
  ...under("plugins.models.*.config(anthropic)", modelDescriptions),
  ...under("plugins.models.*.config(llm_provider_a)", modelDescriptions),
  ...under("plugins.models.*.config(openai)", modelDescriptions),
  ...under("plugins.models.*.config(llm_provider_b)", modelDescriptions),
  "dynamic_supervisor.max_children": "Children alive at one time at most; without it unlimited.",
  "dynamic_supervisor.max_total_spawns": "Children ever spawned at most; without it unlimited.",
  "dynamic_supervisor.max_children_per_spawner": "Children alive of one spawner at most.",
  "dynamic_supervisor.max_total_spawns_per_spawner":
    "Children ever spawned by one spawner at most.",
  "dynamic_supervisor.restart":
    "Which ends restart a child: every one (permanent), crashes (transient), none (temporary, or never).",
  "dynamic_supervisor.spawner_allowlist":
    "Names of the agents that may spawn; _runtime is the program itself. Without it everybody may.",
  "dynamic_supervisor.class_allowlist":
    "Classes that may be spawned, as in type:. Without it every class may.",
  "dynamic_supervisor.on_spawn_requested":
    "Path of a class whose method onSpawnRequested(class, name, config, context) decides: only true lets a child pass.",
  "dynamic_supervisor.max_restarts": "Crashes allowed within restart_window.",
  "dynamic_supervisor.restart_window": "Length of the sliding window, in seconds.",
  "eval_agent.max_corrections_per_window": "Corrections sent within window_seconds at most.",
  "eval_agent.class":
    "Path of a class derived from EvalAgent, such as judges.Judge; without it no agent is corrected.",
  "eval_agent.window_seconds": "Length of the window, in seconds.",
  "eval_agent.exporters": "Where evaluation events go.",
  ...under("topology_server", listenerDescriptions),
  "topology_server.prefix": "Stands before every path.",
  "topology_server.attach_to":
    "An http_gateway that serves the routes instead; its topology_agent must name this node.",
  ...under("http_gateway", listenerDescriptions),
  "http_gateway.port_quic": "UDP port of HTTP/3.",
  "http_gateway.request_timeout": "Seconds that a request may take.",
  "http_gateway.max_body_size":
    "Longest request body and message of a client, in bytes; by default 1 MiB, over gRPC 4 MiB.",
  "http_gateway.enable_http3": "Whether HTTP/3 is served; needs TLS and port_quic.",
  "http_gateway.routes": "Routes; without any, every agent has the default ones.",
  "http_gateway.routes.*.method": "HTTP method.",
  "http_gateway.routes.*.path": "Path; a segment {name} stands for any one segment.",
  "http_gateway.routes.*.agent": "Agent that gets the message.",
  "http_gateway.routes.*.mode":
    "call waits for the reply, cast does not, stream hands on each part.",
  "http_gateway.routes.*.request": "JSON Schema of the body, for the API's description.",
  "http_gateway.routes.*.response": "JSON Schema of the reply, for the API's description.",
  "http_gateway.routes.*.middleware": "Middleware of this route.",
  "http_gateway.middleware": "Middleware of every route.",
  "http_gateway.docs": "The API's description.",
  "http_gateway.docs.enabled": "Whether the API's description is served.",
  "http_gateway.docs.path": "Path of the API's description.",
  "http_gateway.docs_enabled": "The same as docs.enabled.",
  "http_gateway.docs_path": "The same as docs.path.",
  "http_gateway.tls_ca_cert": "File of the authority that signs clients' certificates.",
  "http_gateway.client_cert_mode": "Whether clients show a certificate.",
  "http_gateway.mtls_source": "direct: of the connection. proxy_header: in a header of a proxy.",
  "http_gateway.trusted_proxy_cidrs": "Ranges of proxies whose word about clients is taken.",
  "http_gateway.grpc_enabled": "Whether gRPC is served.",
  "http_gateway.grpc_port": "Port of gRPC.",
  "http_gateway.grpc_reflection": "Whether gRPC clients may ask for the services.",
  "http_gateway.ws_routes": "WebSocket routes.",
  "http_gateway.ws_routes.*.path": "Path; a segment {name} stands for any one segment.",
  "http_gateway.ws_routes.*.agent": "Agent that the connection talks to.",
  "http_gateway.ws_routes.*.middleware": "Middleware of this route's handshake.",
  "http_gateway.ws_origins": "Origins whose pages may connect beside the gateway's own; * for all.",
  "http_gateway.stream_queue_maxsize": "Parts that wait for a slow client at most.",
  "http_gateway.stream_idle_timeout": "Seconds without a part after which a stream ends.",
  "http_gateway.max_stream_duration": "Seconds after which a stream ends.",
  "http_gateway.topology_agent": "A topology_server whose routes this gateway serves.",
  "http_gateway.topology_prefix": "Stands before the topology server's paths.",
  "http_gateway.topology_middleware": "Middleware of the topology server's paths.",
};

function under(kind: string, descriptions: KeyDescriptions): KeyDescriptions {
  return Object.fromEntries(
    Object.entries(descriptions).map(([key, description]) => [`${kind}.${key}`, description]),
  );
}
