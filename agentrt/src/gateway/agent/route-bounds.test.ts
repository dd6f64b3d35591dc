import assert from "node:assert/strict";
import { test } from "node:test";
import { RawHttpClient, type RawHttpResponse } from "testkit";
import {
  Agent,
  child,
  type ChildSpec,
  createTextLog,
  type Message,
  supervisor,
} from "../../core/index.ts";
import { Runtime } from "../../runtime/index.ts";
import { RateLimiter } from "../rate-limit/index.ts";
import { clientFrame, RawWebSocket } from "../websocket/test-support/raw-web-socket.ts";
import { httpGatewaySpec } from "./gateway-agent.ts";
import type { HttpGatewayOptions } from "./gateway-options.ts";

class Echo extends Agent {
  override handle({ payload }: Message): object {
    return { payload };
  }
}

class Silent extends Agent {
  override handle({ signal }: Message): Promise<object> {
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error())));
  }
}

interface Setup extends AsyncDisposable {
  readonly ports: number[];
  ask(request: string, body?: string, gateway?: number): Promise<RawHttpResponse>;
}

async function serve(
  gateways: readonly HttpGatewayOptions[],
  more: readonly ChildSpec[] = [],
): Promise<Setup> {
  const ports: number[] = [];
  const runtime: Runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      restartCountMax: 0,
      children: [
        child(Echo, "echo"),
        child(Silent, "silent"),
        ...more,
        ...gateways.map((options, index) =>
          httpGatewaySpec(
            `api${index}`,
            { host: "127.0.0.1", port: 0, ...options },
            {
              get system() {
                return runtime.system;
              },
              environment: {},
              chooseCapable: (tag) => tag,
              hasAgent: (name) => runtime.registry.get(name)?.kind === "agent",
              isClosed: () => false,
              isInfrastructure: () => false,
              onListening: ({ port }) => void ports.push(port),
            },
          ),
        ),
      ],
    }),
  });
  await runtime.start();
  return {
    ports,
    async ask(request, body = "", gateway = 0) {
      await using client = await RawHttpClient.open(ports[gateway] ?? 0);
      const head = `${request} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`;
      client.send(head + body);
      const response = await client.response();
      assert.ok(response !== undefined);
      return response;
    },
    [Symbol.asyncDispose]: async () => void (await runtime.stop()),
  };
}

const rateLimit = { requestCountMax: 2, windowMs: 3_600_000 };
const limited = { method: "POST", path: "/orders", agent: "echo", rateLimit };
const free = { method: "POST", path: "/free", agent: "echo" };

test("a route with a limit takes so many requests of a client, and says what is left", async () => {
  await using setup = await serve([{ routes: [limited, free] }]);
  const first = await setup.ask("POST /orders");
  assert.equal(first.status, 200);
  assert.equal(first.headers["ratelimit-policy"], '"POST /orders";q=2;w=3600');
  assert.match(first.headers["ratelimit"] ?? "", /^"POST \/orders";r=1;t=3600$/);
  assert.equal((await setup.ask("POST /orders")).status, 200);
  const refused = await setup.ask("POST /orders");
  assert.deepEqual([refused.status, refused.body], [429, '{"error":"rate limit exceeded"}']);
  assert.match(refused.headers["retry-after"] ?? "", /^3[56]\d\d$/);
  const other = await setup.ask("POST /free");
  assert.deepEqual([other.status, other.headers["ratelimit"]], [200, undefined]);
});

test("the agent rate_limiter counts for the routes of all gateways together", async () => {
  const limiter = child(RateLimiter, "rate_limiter", { config: { max_requests: 1 } });
  await using setup = await serve([{ routes: [limited] }, { routes: [limited] }], [limiter]);
  const statuses: number[] = [];
  for (const gateway of [0, 1, 0, 1])
    statuses.push((await setup.ask("POST /orders", "", gateway)).status);
  assert.deepEqual(statuses, [200, 200, 429, 429]);
});

test("a route has its own longest body and its own time", async () => {
  const small = { ...free, path: "/small", bodySizeBytesMax: 10 };
  const large = { ...free, path: "/large", bodySizeBytesMax: 2_000 };
  const brief = { ...free, path: "/brief", agent: "silent", requestTimeoutMs: 20 };
  const wrapped = {
    ...brief,
    path: "/wrapped",
    middleware: [() => new Promise<never>(() => undefined)],
  };
  await using setup = await serve([
    { bodySizeBytesMax: 100, routes: [small, large, free, brief, wrapped] },
  ]);
  const body = (length: number): string => `{"a":"${"x".repeat(length - 8)}"}`;
  const refused = await setup.ask("POST /small", body(11));
  assert.deepEqual(
    [refused.status, refused.body],
    [413, '{"error":"request body is longer than 10 bytes"}'],
  );
  assert.equal((await setup.ask("POST /large", body(1_999))).status, 200);
  assert.equal((await setup.ask("POST /free", body(101))).status, 413);
  for (const path of ["/brief", "/wrapped"]) {
    const late = await setup.ask(`POST ${path}`);
    assert.deepEqual([late.status, late.body], [504, '{"error":"upstream timeout"}'], path);
  }
});

test("a WebSocket route with a limit counts the messages of a client, over all its connections", async () => {
  const webSocketRoutes = [{ path: "/ws", agent: "echo", rateLimit }];
  await using setup = await serve([{ webSocketRoutes }]);
  const answers: unknown[] = [];
  for (const messages of [
    ['{"a":1}', '{"id":7,"payload":{}}'],
    ['{"a":2}', '{"id":8,"payload":{}}'],
  ]) {
    await using client = await RawWebSocket.open(setup.ports[0] ?? 0, "/ws");
    for (const message of messages) {
      client.write(clientFrame(Buffer.from(message)));
      answers.push(JSON.parse((await client.frame())?.payload.toString() ?? ""));
      if (message.includes("7")) await client.frame();
    }
  }
  assert.deepEqual(answers, [
    { payload: { a: 1 } },
    { id: 7, payload: { payload: {} } },
    { error: "rate limit exceeded" },
    { id: 8, error: "rate limit exceeded" },
  ]);
});

test("bounds that no route can have keep a gateway from starting", async () => {
  const refuse = (more: object, message: RegExp): Promise<void> =>
    assert.rejects(serve([{ routes: [{ ...free, ...more }] }]), (error: Error) => {
      assert.match(`${error.message} ${(error.cause as Error | undefined)?.message}`, message);
      return true;
    });
  await refuse(
    { rateLimit: { requestCountMax: 0, windowMs: 1 } },
    /rateLimit\.requestCountMax is 0/,
  );
  await refuse(
    { rateLimit: { ...rateLimit, key: "cookie" } },
    /rateLimit\.key is "cookie", wanted/,
  );
  await refuse({ requestTimeoutMs: 0 }, /requestTimeoutMs is 0, wanted above 0/);
  await refuse({ bodySizeBytesMax: 0.5 }, /bodySizeBytesMax is 0\.5/);
});
