import { type GatewayCase, notApplicable } from "./case.ts";

const said = `Cannot send message to "checked": payload.text: it is no text; payload: and so it is`;
const refused = { error: said };
const issues = [
  { path: "payload.text", message: "it is no text" },
  { path: "payload", message: "and so it is" },
];

/** Agents whose class declares a schema: what it refuses, and what it makes of a payload. */
export const schemaCases: readonly GatewayCase[] = [
  {
    name: "a payload that the agent's schema takes comes to it as the schema makes it",
    request: { agent: "checked", payload: { text: "ab", times: "2", more: true } },
    expected: {
      http: { status: 200, body: { text: "abab" } },
      webSocket: { status: 101, body: { text: "abab" } },
      grpc: { status: 0, body: { text: "abab" } },
    },
  },
  ...(["call", "cast", "stream"] as const).map((mode): GatewayCase => ({
    name: `a payload that the agent's schema refuses, ${mode}: what is wrong, and where`,
    request: { agent: "checked", mode, payload: { text: 1 } },
    expected: {
      http: { status: 400, body: { ...refused, issues } },
      webSocket:
        mode === "cast"
          ? notApplicable("it has no casts")
          : { status: 101, body: mode === "stream" ? [refused] : refused },
      grpc: { status: 3, body: mode === "stream" ? [refused] : refused },
    },
  })),
];
