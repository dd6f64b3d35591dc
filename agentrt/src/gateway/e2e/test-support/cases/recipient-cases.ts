import { type GatewayCase, notApplicable } from "./case.ts";

const fixedAgent = notApplicable("a route names its agent, and the file may name none of these");

/** Agents of the runtime itself. What guards their own routes would not guard another way to them. */
const closedNames = ["control", "control_gateway", "open"];

/** Whom a client may name as the recipient. */
export const recipientCases: readonly GatewayCase[] = [
  ...closedNames.flatMap((agent) =>
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
  ...closedNames.map((agent): GatewayCase => ({
    name: `the state of an agent of the runtime itself, "${agent}": it is not there`,
    request: { gateway: "default", target: `GET /agents/${agent}/state`, body: "" },
    expected: {
      http: { status: 404, body: { error: `agent '${agent}' not found` } },
      webSocket: fixedAgent,
      grpc: notApplicable("a call names its agent, not a method and a path"),
    },
  })),
];
