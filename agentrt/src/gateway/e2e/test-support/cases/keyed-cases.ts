import { type CaseExpectation, type CaseRequest, type GatewayCase, notApplicable } from "./case.ts";
import { refusal } from "./dispatch-cases.ts";

const noCast = notApplicable("it has no casts");
const anyPath = notApplicable("a path of the default routes names one segment");

/** The same refusal of a call, a cast and a stream: the stream's before any header. */
function inEachMode(
  what: string,
  request: Pick<CaseRequest, "payload" | "before">,
  expected: CaseExpectation,
): GatewayCase[] {
  return (["call", "cast", "stream"] as const).map((mode) => {
    const listed = <Answer>(answer: Answer): Answer =>
      mode === "stream" && "body" in (answer as object)
        ? { ...answer, body: [(answer as { body?: unknown }).body] }
        : answer;
    return {
      name: `a keyed agent, ${mode}: ${what}`,
      request: { agent: "ticket", mode, ...request },
      expected: {
        ...expected,
        webSocket: mode === "cast" ? noCast : listed(expected.webSocket),
        grpc: listed(expected.grpc),
      },
    };
  });
}

const missing = `Cannot deliver message to "ticket": it has no key, want "id" in its payload`;
const invalid = `Cannot deliver message to "ticket": its key is a boolean, want a string of 1 to 256 bytes without control characters`;
const failed = refusal("key 'broken' of agent 'ticket' has failed too often", {
  http: 503,
  grpc: 14,
});
const exhausted = "agent 'desk' has no room for more keys";

/** Agents with one object for each key: where the key comes from, and how messages to it are refused. */
export const keyedCases: readonly GatewayCase[] = [
  {
    name: "a keyed agent takes the key from the payload, or from the path over it",
    request: { agent: "ticket", payload: { id: 7 } },
    expected: {
      http: { status: 200, body: { key: "7" } },
      webSocket: { status: 101, body: { key: "7" } },
      grpc: { status: 0, body: { key: "7" } },
    },
  },
  {
    name: "a keyed agent takes the key from the path",
    request: { target: "POST /tickets/a%2Fb", payload: { id: "other" } },
    expected: {
      http: { status: 200, body: { key: "a/b" } },
      webSocket: notApplicable("the key of a handshake is shown by the test of keyed agents"),
      grpc: notApplicable("a call names its agent, not a method and a path"),
    },
  },
  {
    name: "a key behind the name of its agent",
    request: { gateway: "default", agent: "ticket/7" },
    expected: {
      http: notApplicable(anyPath.because),
      webSocket: notApplicable("a route names its agent"),
      grpc: { status: 0, body: { key: "7" } },
    },
  },
  {
    name: "a key behind the name of an agent, where there are routes: those reached are named whole",
    request: { agent: "ticket/7" },
    expected: {
      http: { status: 404 },
      webSocket: { status: 404 },
      grpc: { status: 5, body: { error: "agent 'ticket/7' not found" } },
    },
  },
  {
    name: "a keyed agent streams",
    request: { agent: "ticket", mode: "stream", payload: { id: "s", count: 2 } },
    expected: {
      http: {
        status: 200,
        body: [1, 2].map((n) => ({ id: String(n), data: JSON.stringify({ key: "s", n }) })),
      },
      webSocket: notApplicable("what marks the end of a reply here has no key"),
      grpc: { status: 0, body: [1, 2].map((n) => ({ key: "s", n })) },
    },
  },
  ...inEachMode("400 without a key", { payload: {} }, refusal(missing, { http: 400, grpc: 3 })),
  ...inEachMode(
    "400 with a key that is none",
    { payload: { id: true } },
    refusal(invalid, { http: 400, grpc: 3 }),
  ),
  ...inEachMode(
    "503 for a key out of its budget, without the reason",
    {
      payload: { id: "broken" },
      before: [{ agent: "ticket", payload: { id: "broken", crash: true } }],
    },
    failed,
  ),
  {
    name: "a keyed agent whose places are all busy and whose line is full: 503 with Retry-After",
    request: {
      agent: "desk",
      payload: { id: "c" },
      before: ["a", "b"].map((id) => ({ agent: "desk", mode: "cast" as const, payload: { id } })),
    },
    expected: {
      http: { status: 503, body: { error: exhausted }, headers: { "retry-after": "1" } },
      webSocket: { status: 101, body: { error: exhausted } },
      grpc: { status: 14, body: { error: exhausted } },
    },
  },
];
