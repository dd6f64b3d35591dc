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
