import { type GatewayCase, notApplicable } from "./case.ts";

const sse = { "content-type": "text/event-stream", "cache-control": "no-cache" };
const events = (...chunks: readonly object[]): object[] =>
  chunks.map((chunk, index) => ({ id: String(index + 1), data: JSON.stringify(chunk) }));
const failure = (id: number, error: string): object => ({
  id: String(id),
  event: "error",
  data: JSON.stringify({ error }),
});

const injected = "a\r\n\r\nid: 9\nevent: error\ndata: {}\n\n";

/** One every 300 ms, for a second. */
const endless = Array.from({ length: 4 }, () => ({ n: 1 }));

/** Streamed replies with their limits of time, and the rate limiter: what each surface sends, and how it ends. */
export const streamCases: readonly GatewayCase[] = [
  {
    name: "each chunk is an event with its number, and the end is the end",
    request: { agent: "counting", mode: "stream" },
    expected: {
      http: { status: 200, headers: sse, body: events({ n: 1 }, { n: 2 }) },
      webSocket: { status: 101, body: [{ n: 1 }, { n: 2 }] },
      grpc: { status: 0, body: [{ n: 1 }, { n: 2 }] },
    },
  },
  {
    name: "a reply that is no stream is one chunk",
    request: { agent: "echo", mode: "stream" },
    expected: {
      http: { status: 200, body: events({ type: "http.request", payload: {} }) },
      webSocket: { status: 101, body: [{ type: "ws.message", payload: {} }] },
      grpc: { status: 0, body: [{ type: "grpc.request", payload: {} }] },
    },
  },
  {
    name: "line breaks in a chunk begin no event of their own",
    request: { mode: "stream", payload: { text: injected } },
    expected: {
      http: { status: 200, body: events({ type: "http.request", payload: { text: injected } }) },
      webSocket: { status: 101, body: [{ type: "ws.message", payload: { text: injected } }] },
      grpc: { status: 0, body: [{ type: "grpc.request", payload: { text: injected } }] },
    },
  },
  {
    name: "a failure is an event of its own behind the chunks",
    request: { agent: "breaking", mode: "stream" },
    expected: {
      http: {
        status: 200,
        body: [...events({ n: 1 }, { n: 2 }), failure(3, "agent 'breaking' crashed")],
      },
      webSocket: { status: 101, body: [{ n: 1 }, { n: 2 }, { error: "agent 'breaking' crashed" }] },
      grpc: { status: 13, body: [{ n: 1 }, { n: 2 }, { error: "agent 'breaking' crashed" }] },
    },
  },
  {
    name: "an unknown agent is 404, before any header of a stream",
    request: { agent: "nobody", mode: "stream" },
    expected: {
      http: { status: 404, body: { error: "agent 'nobody' not found" } },
      webSocket: notApplicable("the row of a call is the same: every reply may be a stream"),
      grpc: { status: 5, body: [{ error: "agent 'nobody' not found" }] },
    },
  },
  ...(["call", "cast", "stream"] as const).map((mode): GatewayCase => {
    const error = "agent 'ending' is stopped";
    return {
      name: `${mode} to a stopped agent: 503 before any header of a stream, and nothing that says when to try again`,
      request: { agent: "ending", mode, before: [{ agent: "ending" }] },
      expected: {
        http: { status: 503, body: { error }, headers: { "retry-after": undefined } },
        webSocket:
          mode === "cast"
            ? notApplicable("it has no casts")
            : { status: 101, body: mode === "stream" ? [{ error }] : { error } },
        grpc: { status: 14, body: mode === "stream" ? [{ error }] : { error } },
      },
    };
  }),
  ...(["call", "stream"] as const).map((mode): GatewayCase => {
    const error = "agent 'tired' takes no requests for now";
    return {
      name: `${mode} to an agent whose circuit is open: 503 before any header of a stream`,
      request: { agent: "tired", mode, before: [{ agent: "tired" }] },
      expected: {
        http: { status: 503, body: { error } },
        webSocket: { status: 101, body: mode === "stream" ? [{ error }] : { error } },
        grpc: { status: 14, body: mode === "stream" ? [{ error }] : { error } },
      },
    };
  }),
  {
    name: "limit request_timeout: a stream whose first chunk does not come ends so",
    request: { agent: "sleeping", mode: "stream" },
    expected: {
      http: { status: 200, body: [failure(1, "upstream timeout")] },
      webSocket: notApplicable("the row of a call is the same: every reply may be a stream"),
      grpc: { status: 4, body: [{ error: "upstream timeout" }] },
    },
  },
  {
    name: "limit stream_idle_timeout: a stream that stands still is closed",
    request: { gateway: "impatient", agent: "pausing", mode: "stream" },
    expected: {
      http: { status: 200, body: [...events({ n: 1 }), failure(2, "stream idle timeout")] },
      webSocket: { status: 101, body: [{ n: 1 }, { error: "stream idle timeout" }] },
      grpc: { status: 4, body: [{ n: 1 }, { error: "stream idle timeout" }] },
    },
  },
  {
    name: "limit max_stream_duration: a stream that lasts longer is closed",
    request: { gateway: "brief", agent: "endless", mode: "stream" },
    expected: {
      http: {
        status: 200,
        body: [...events(...endless), failure(5, "max_stream_duration exceeded")],
      },
      webSocket: { status: 101, body: [...endless, { error: "max_stream_duration exceeded" }] },
      grpc: { status: 4, body: [...endless, { error: "max_stream_duration exceeded" }] },
    },
  },
  {
    name: "a Last-Event-ID that is none: 400",
    request: { agent: "counting", mode: "stream", headers: { "last-event-id": "x" } },
    expected: {
      http: { status: 400, body: { error: "malformed Last-Event-ID header" } },
      webSocket: notApplicable("a reply ends with its connection"),
      grpc: notApplicable("a reply ends with its call"),
    },
  },
  {
    name: "a Last-Event-ID of a stream that is not there: 410",
    request: { agent: "counting", mode: "stream", headers: { "last-event-id": "7" } },
    expected: {
      http: { status: 410, body: { error: "the stream cannot be resumed" } },
      webSocket: notApplicable("a reply ends with its connection"),
      grpc: notApplicable("a reply ends with its call"),
    },
  },
  {
    name: "within the limit: what is left is said",
    request: {
      gateway: "limited",
      headersOf: (surface) => ({ "x-api-key": `key-${surface}` }),
    },
    expected: {
      http: {
        status: 200,
        headers: {
          "ratelimit-policy": '"rate_limiter";q=2;w=600',
          ratelimit: '"rate_limiter";r=1;t=600',
        },
      },
      webSocket: { status: 101 },
      grpc: { status: 0 },
    },
  },
  {
    name: "beyond the limit: 429 with Retry-After",
    request: {
      gateway: "limited",
      headersOf: (surface) => ({ "x-api-key": `key-${surface}` }),
      count: 2,
    },
    expected: {
      http: {
        status: 429,
        body: { error: "rate limit exceeded" },
        headers: { "retry-after": "600" },
      },
      webSocket: { status: 429, body: { error: "rate limit exceeded" } },
      grpc: { status: 8, body: { error: "rate limit exceeded" } },
    },
  },
];
