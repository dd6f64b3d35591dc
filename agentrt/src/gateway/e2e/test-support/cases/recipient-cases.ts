import { type GatewayCase, notApplicable } from "./case.ts";

const fixedAgent = notApplicable("a route names its agent, and the file may name none of these");

/** Agents of the runtime itself. What guards their own routes would not guard another way to them. */
const closedNames = ["control", "control_gateway", "open"];
/** Agents that serve other agents: where no route names them, clients do not reach them. */
const infrastructureNames = ["rate_limiter", "eval_agent"];

/** Whom a client may name as the recipient. */
export const recipientCases: readonly GatewayCase[] = [
  ...[...closedNames, ...infrastructureNames].flatMap((agent) =>
    (["call", "cast", "stream"] as const).map((mode): GatewayCase => {
      const error = `agent '${agent}' not found`;
      return {
        name: `${mode} to an agent of the runtime itself, "${agent}": it is not there`,
        request: { gateway: "default", agent, mode, payload: { __op__: "topology" } },
        expected: {
          http: { status: 404, body: { error } },
          webSocket: fixedAgent,
          grpc: { status: 5, body: mode === "stream" ? [{ error }] : { error } },
        },
      };
    }),
  ),
  {
    name: "an eval agent that a route names: it is reached",
    request: { agent: "judge" },
    expected: {
      http: { status: 200, body: {} },
      webSocket: { status: 101 },
      grpc: { status: 0, body: {} },
    },
  },
  {
    name: "a capability: an agent that declares it answers",
    request: { capability: "echoing", payload: { n: 1 } },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: { n: 1 } } },
      webSocket: { status: 101, body: { type: "ws.message", payload: { n: 1 } } },
      grpc: { status: 0, body: { type: "grpc.request", payload: { n: 1 } } },
    },
  },
  {
    name: "a cast to a capability: an agent that declares it takes it",
    request: { capability: "echoing", mode: "cast" },
    expected: {
      http: { status: 202 },
      webSocket: notApplicable("a connection has no casts"),
      grpc: { status: 0 },
    },
  },
  {
    name: "a stream from a capability: an agent that declares it gives its chunks",
    request: { capability: "echoing", mode: "stream" },
    expected: {
      http: {
        status: 200,
        body: [{ id: "1", data: '{"type":"http.request","payload":{}}' }],
      },
      webSocket: { status: 101, body: [{ type: "ws.message", payload: {} }] },
      grpc: { status: 0, body: [{ type: "grpc.request", payload: {} }] },
    },
  },
  ...(["call", "cast", "stream"] as const).map((mode): GatewayCase => {
    const error = "no agent has the capability 'unheld'";
    return {
      name: `${mode} to a capability that nobody declares: it is not there`,
      request: { capability: "unheld", mode },
      expected: {
        http: { status: 404, body: { error } },
        webSocket:
          mode === "cast"
            ? notApplicable("a connection has no casts")
            : { status: 101, body: mode === "stream" ? [{ error }] : { error } },
        grpc: { status: 5, body: mode === "stream" ? [{ error }] : { error } },
      },
    };
  }),
  {
    name: "a capability whose only agent is stopped: it takes no messages",
    request: { capability: "ended", count: 2 },
    expected: {
      http: {
        status: 503,
        body: { error: "no agent with the capability 'ended' takes messages" },
      },
      webSocket: {
        status: 101,
        body: { error: "no agent with the capability 'ended' takes messages" },
      },
      grpc: {
        status: 14,
        body: { error: "no agent with the capability 'ended' takes messages" },
      },
    },
  },
  {
    name: "grpc_agents without capabilities: a capability is not there",
    request: { gateway: "picked", capability: "echoing" },
    expected: {
      http: { status: 200 },
      webSocket: { status: 101 },
      grpc: { status: 5, body: { error: "no agent has the capability 'echoing'" } },
    },
  },
  {
    name: "an agent that no route leads to, where there are routes: it is not there",
    request: { agent: "private" },
    expected: {
      http: { status: 404, body: { error: "no route for POST /call/private" } },
      webSocket: { status: 404 },
      grpc: { status: 5, body: { error: "agent 'private' not found" } },
    },
  },
  {
    name: "an agent that no route leads to, where there are no routes: everybody reaches it",
    request: { gateway: "default", agent: "private" },
    expected: {
      http: { status: 200, body: { type: "http.request", payload: {} } },
      webSocket: { status: 404 },
      grpc: { status: 0, body: { type: "grpc.request", payload: {} } },
    },
  },
  {
    name: "grpc_agents: calls reach an agent of the list",
    request: { gateway: "picked", agent: "private" },
    expected: {
      http: { status: 404, body: { error: "no route for POST /call/private" } },
      webSocket: { status: 404 },
      grpc: { status: 0, body: { type: "grpc.request", payload: {} } },
    },
  },
  ...(["call", "cast", "stream"] as const).map((mode): GatewayCase => ({
    name: `grpc_agents: ${mode} to an agent that is not on the list: it is not there`,
    request: { gateway: "picked", mode },
    expected: {
      http: { status: mode === "cast" ? 202 : 200 },
      webSocket: notApplicable("the list is that of gRPC"),
      grpc: {
        status: 5,
        body:
          mode === "stream"
            ? [{ error: "agent 'echo' not found" }]
            : { error: "agent 'echo' not found" },
      },
    },
  })),
  {
    name: "an agent behind middleware of its route: calls of gRPC, which do not run it, do not reach the agent",
    request: { gateway: "bounded", agent: "guarded", target: "POST /guarded" },
    expected: {
      http: { status: 403, body: { error: "members only" } },
      webSocket: notApplicable("no WebSocket route leads to it"),
      grpc: { status: 5, body: { error: "agent 'guarded' not found" } },
    },
  },
  ...[...closedNames, ...infrastructureNames].map((agent): GatewayCase => ({
    name: `the state of an agent of the runtime itself, "${agent}": it is not there`,
    request: { gateway: "default", target: `GET /agents/${agent}/state`, body: "" },
    expected: {
      http: { status: 404, body: { error: `agent '${agent}' not found` } },
      webSocket: fixedAgent,
      grpc: notApplicable("a call names its agent, not a method and a path"),
    },
  })),
];
