/** Settings of a gateway that keep it from starting, and what is said of them. */
export interface StartupCase {
  readonly name: string;
  /** Lines of its `config`, beside the port. */
  readonly config: string;
  readonly said: RegExp;
}

const certificateKeys = "tls_cert: server.pem\ntls_key: server.key\n";
const withCa = `${certificateKeys}tls_ca_cert: ca.pem\n`;
const names = "middleware: [agentrt.gateway.mtls.require_client_cert]\n";

/** Settings of middleware, tokens and certificates that cannot work are refused at the start, and named. */
export const startupCases: readonly StartupCase[] = [
  {
    name: "proxy_header without require_client_cert",
    config: "mtls_source: proxy_header\ntrusted_proxy_cidrs: [10.0.0.0/8]",
    said: /require_client_cert/,
  },
  {
    name: "proxy_header without trusted ranges",
    config: `mtls_source: proxy_header\n${names}`,
    said: /trusted_proxy_cidrs/,
  },
  {
    name: "proxy_header with a range that is none",
    config: `mtls_source: proxy_header\ntrusted_proxy_cidrs: [10.0.0.0/33]\n${names}`,
    said: /10\.0\.0\.0\/33/,
  },
  {
    name: "proxy_header with client_cert_mode",
    config: `${withCa}mtls_source: proxy_header\ntrusted_proxy_cidrs: [10.0.0.0/8]\nclient_cert_mode: required\n${names}`,
    said: /client_cert_mode/,
  },
  {
    name: "client_cert_mode without the authority",
    config: `${certificateKeys}client_cert_mode: required\n${names}`,
    said: /tls_ca_cert/,
  },
  {
    name: "client_cert_mode without TLS",
    config: `client_cert_mode: required\n${names}`,
    said: /tls_/,
  },
  {
    name: "client_cert_mode that is none",
    config: "client_cert_mode: maybe",
    said: /none.*optional.*required/s,
  },
  { name: "a certificate without its key", config: "tls_cert: server.pem", said: /tls_key/ },
  {
    name: "optional certificates with gRPC",
    config: `${withCa}client_cert_mode: optional\ngrpc_enabled: true\ngrpc_port: 18098\n${names}`,
    said: /gRPC cannot ask for optional certificates/,
  },
  {
    name: "tokens over gRPC in clear text",
    config:
      "grpc_enabled: true\ngrpc_port: 18098\nmiddleware: [agentrt.gateway.jwt_auth.require_jwt]",
    said: /gRPC would send tokens in clear text/,
  },
  { name: "gRPC without a port", config: "grpc_enabled: true", said: /grpc_port/ },
  {
    name: "a middleware that is not there",
    config: "middleware: [guards.nothing]",
    said: /guards/,
  },
  {
    name: "a token check without a key",
    config: "middleware: [agentrt.gateway.jwt_auth.require_jwt]",
    said: /no key is set/,
  },
  {
    name: "a limiter that is not there",
    config: "middleware: [agentrt.gateway.ratelimit.rate_limit]",
    said: /rate_limiter/,
  },
  { name: "a body limit of nothing", config: "max_body_size: 0", said: /max_body_size/ },
  {
    name: "a route to an agent of the runtime itself",
    config: "routes: [{ method: GET, path: /, agent: gateway }]",
    said: /:10:.*"gateway" is a http_gateway: clients cannot reach one/,
  },
  {
    name: "a WebSocket route to an agent of the runtime itself",
    config: "ws_routes: [{ path: /ws, agent: gateway }]",
    said: /:10:.*"gateway" is a http_gateway: clients cannot reach one/,
  },
  {
    name: "gRPC calls to an agent of the runtime itself",
    config: "grpc_enabled: true\ngrpc_port: 18098\ngrpc_agents: [gateway]",
    said: /:12:.*"gateway" is a http_gateway: clients cannot reach one/,
  },
  {
    name: "gRPC calls to nobody",
    config: "grpc_enabled: true\ngrpc_port: 18098\ngrpc_agents: [ecko]",
    said: /:12:.*there is no agent "ecko" in the tree.*"echo"/,
  },
  {
    name: "a route to nobody",
    config: "routes: [{ method: GET, path: /, agent: ghost }]",
    said: /no agent "ghost"/,
  },
];
