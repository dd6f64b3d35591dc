import { type CaseExpectation, type GatewayCase, notApplicable } from "./case.ts";

const noStatus = notApplicable("WebSocket has no statuses: the body comes as a message");
const noHead = notApplicable("HEAD is a method of HTTP");

/** A reply that no response can say: nobody is told why, but the log. */
const refused: CaseExpectation = {
  http: { status: 500, body: { error: "internal error" } },
  webSocket: notApplicable("a message has neither status nor headers that could be wrong"),
  grpc: { status: 13, body: { error: "internal error" } },
};

function row(name: string, kind: string, expected: CaseExpectation): GatewayCase {
  return { name: `reply: ${name}`, request: { agent: "composing", payload: { kind } }, expected };
}

/** Replies to which an agent gives a status, headers or a content type. */
export const replyCases: readonly GatewayCase[] = [
  row("an agent chooses a status and headers", "created", {
    http: {
      status: 201,
      body: { id: 7 },
      headers: {
        location: "/orders/7",
        "x-total": "1, 2",
        "content-type": "application/json",
        "content-length": "8",
      },
    },
    webSocket: { status: 101, body: { id: 7 } },
    grpc: { status: 0, body: { id: 7 } },
  }),
  row("a reply that is put off has its status", "deferred", {
    http: { status: 201, body: { id: 8 } },
    webSocket: { status: 101, body: { id: 8 } },
    grpc: { status: 0, body: { id: 8 } },
  }),
  row("a reply of another agent that is handed on keeps its status", "handed on", {
    http: { status: 201, body: { id: 7 }, headers: { location: "/orders/7" } },
    webSocket: { status: 101, body: { id: 7 } },
    grpc: { status: 0, body: { id: 7 } },
  }),
  row("what an agent makes of another's reply is an ordinary reply", "made of another", {
    http: { status: 200, body: { id: 7, more: true }, headers: { location: undefined } },
    webSocket: { status: 101, body: { id: 7, more: true } },
    grpc: { status: 0, body: { id: 7, more: true } },
  }),
  row("text is sent as it is", "text", {
    http: {
      status: 200,
      body: "<h1>grüß dich</h1>",
      headers: { "content-type": "text/html; charset=utf-8", "content-length": "20" },
    },
    webSocket: { status: 101, body: { data: "<h1>grüß dich</h1>" } },
    grpc: { status: 0, body: { data: "<h1>grüß dich</h1>" } },
  }),
  row("bytes are sent as they are", "bytes", {
    http: {
      status: 200,
      body: "GIF",
      headers: { "content-type": "image/gif", "content-length": "3" },
    },
    webSocket: { status: 101, body: { data: "R0lG" } },
    grpc: { status: 0, body: { data: "R0lG" } },
  }),
  row("JSON that is no object is sent as it is", "list", {
    http: { status: 200, body: [1, 2], headers: { "content-type": "application/json" } },
    webSocket: { status: 101, body: { data: [1, 2] } },
    grpc: { status: 0, body: { data: [1, 2] } },
  }),
  row("204 has no body and no length", "nothing", {
    http: {
      status: 204,
      body: undefined,
      headers: { "content-length": undefined, "content-type": undefined },
    },
    webSocket: { status: 101, body: {} },
    grpc: { status: 0, body: {} },
  }),
  row("each cookie is a header", "cookies", {
    http: { status: 200, body: {}, headers: { "set-cookie": "a=1; Path=/,b=2" } },
    only: { "HTTP/3": { status: 200, body: {}, headers: { "set-cookie": "a=1; Path=/, b=2" } } },
    webSocket: { status: 101, body: {} },
    grpc: { status: 0, body: {} },
  }),
  row("a redirect", "redirect", {
    http: { status: 303, body: undefined, headers: { location: "/orders/7" } },
    webSocket: { status: 101, body: {} },
    grpc: { status: 0, body: {} },
  }),
  row("a status above 400 is a failure to gRPC too", "missing", {
    http: { status: 404, body: { error: "no such order", code: 7 } },
    webSocket: { status: 101, body: { error: "no such order", code: 7 } },
    grpc: { status: 5, body: { error: "no such order" } },
  }),
  row("a conflict that is told as text", "conflict", {
    http: { status: 409, body: "somebody else was first" },
    webSocket: { status: 101, body: { data: '"somebody else was first"' } },
    grpc: { status: 10, body: { error: '"somebody else was first"' } },
  }),
  row("a status that the agent chose stays where the body has an error", "fine error", {
    http: { status: 200, body: { error: "none" } },
    webSocket: { status: 101, body: { error: "none" } },
    grpc: { status: 0, body: { error: "none" } },
  }),
  row("an error without a status is 400", "plain error", {
    http: { status: 400, body: { error: "no" }, headers: { "x-reason": "wrong" } },
    webSocket: { status: 101, body: { error: "no" } },
    grpc: { status: 0, body: { error: "no" } },
  }),
  {
    name: "reply: HEAD has the headers of the body, and none",
    request: { target: "HEAD /composed/text" },
    expected: {
      http: {
        status: 200,
        body: undefined,
        headers: { "content-type": "text/html; charset=utf-8", "content-length": "20" },
      },
      webSocket: noHead,
      grpc: noHead,
    },
  },
  {
    name: "reply: a client's own words make no status",
    request: {
      payload: { "Symbol(agentrt.replyHead)": { status: 418 }, __http__: { status: 418 } },
    },
    expected: { http: { status: 200 }, webSocket: noStatus, grpc: { status: 0 } },
  },
  ...[
    ["a line break in a header", "line break"],
    ["a header of the connection", "framing"],
    ["a name that is none", "bad name"],
    ["a status that is none", "bad status"],
    ["a body with 204", "full nothing"],
  ].map(([name = "", kind = ""]) => row(`${name} is refused, and logged`, kind, refused)),
];
