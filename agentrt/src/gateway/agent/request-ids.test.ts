import assert from "node:assert/strict";
import { test } from "node:test";
import { RawHttpClient } from "testkit";
import { Agent, child, createTextLog, type Message, supervisor } from "../../core/index.ts";
import { Runtime } from "../../runtime/index.ts";
import type { GatewayRequest, GatewayResponse } from "../request.ts";
import { httpGatewaySpec } from "./gateway-agent.ts";
import type { HttpGatewayOptions } from "./gateway-options.ts";

class Witness extends Agent {
  override handle({ correlationId, traceId, parentSpanId }: Message): object {
    return { correlationId, traceId, parentSpanId };
  }
}

interface Setup extends AsyncDisposable {
  /** What middleware saw. */
  readonly seen: GatewayRequest[];
  ask(headers: string): Promise<{
    readonly headers: { readonly [name: string]: string };
    readonly reply: { readonly [name: string]: unknown };
  }>;
}

async function serve(options: HttpGatewayOptions = {}): Promise<Setup> {
  const seen: GatewayRequest[] = [];
  const watch = async (
    request: GatewayRequest,
    next: (request: GatewayRequest) => Promise<GatewayResponse>,
  ): Promise<GatewayResponse> => {
    seen.push(request);
    return await next({ ...request });
  };
  let port = 0;
  const runtime: Runtime = new Runtime({
    log: createTextLog({ write: () => undefined }),
    supervision: supervisor("root", {
      children: [
        child(Witness, "witness"),
        httpGatewaySpec(
          "api",
          { host: "127.0.0.1", port: 0, middleware: [watch], ...options },
          {
            get system() {
              return runtime.system;
            },
            environment: {},
            chooseCapable: (tag) => tag,
            hasAgent: () => true,
            isClosed: () => false,
            isInfrastructure: () => false,
            onListening: (address) => {
              port = address.port;
            },
          },
        ),
      ],
    }),
  });
  await runtime.start();
  return {
    seen,
    async ask(headers) {
      await using client = await RawHttpClient.open(port);
      client.send(
        `POST /agents/witness HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 0\r\n\r\n`,
      );
      const response = await client.response();
      return { headers: response?.headers ?? {}, reply: JSON.parse(response?.body ?? "{}") };
    },
    [Symbol.asyncDispose]: async () => void (await runtime.stop()),
  };
}

const proxied = { mtls: { trustedProxyCidrs: ["127.0.0.0/8"] } };
const newId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;

test("each request has an id of its own: in the response, for middleware and for the agent", async () => {
  await using setup = await serve();
  const { headers, reply } = await setup.ask("");
  const id = headers["x-request-id"] ?? "";
  assert.match(id, newId);
  assert.equal(setup.seen[0]?.requestId, id);
  assert.equal(reply["correlationId"], id);
  const other = await setup.ask("");
  assert.notEqual(other.headers["x-request-id"], id);
});

test("the id of a caller is taken over where the caller is trusted, and where it may be an id", async () => {
  await using own = await serve();
  const strange = await own.ask("X-Request-Id: mine\r\n");
  assert.match(strange.headers["x-request-id"] ?? "", newId);
  await using setup = await serve(proxied);
  const { headers, reply } = await setup.ask("X-Request-Id: order-7/a:b\r\n");
  assert.deepEqual(
    [headers["x-request-id"], reply["correlationId"]],
    ["order-7/a:b", "order-7/a:b"],
  );
  for (const bad of ['a"b', "a b", "a,b", "x".repeat(129), "a\u00e9"]) {
    const refused = await setup.ask(`X-Request-Id: ${bad}\r\n`);
    assert.match(refused.headers["x-request-id"] ?? "", newId, bad);
  }
  await using named = await serve({ requestId: { header: "X-Trace-Key", trust: "all" } });
  const answer = await named.ask("X-Trace-Key: 7\r\n");
  assert.deepEqual(
    [answer.headers["x-trace-key"], answer.headers["x-request-id"]],
    ["7", undefined],
  );
});

test("traceresponse answers a traceparent, and names the trace of the agent's message", async () => {
  await using setup = await serve();
  const own = await setup.ask("");
  const pattern = /^00-([0-9a-f]{32})-[0-9a-f]{16}-00$/;
  assert.equal(own.headers["traceresponse"], undefined);
  assert.match(String(own.reply["traceId"]), /^[0-9a-f]{32}$/);
  assert.equal(own.reply["parentSpanId"], null);
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const joined = await setup.ask(`traceparent: 00-${traceId}-b7ad6b7169203331-01\r\n`);
  assert.equal(pattern.exec(joined.headers["traceresponse"] ?? "")?.[1], traceId);
  assert.deepEqual(
    [joined.reply["traceId"], joined.reply["parentSpanId"]],
    [traceId, "b7ad6b7169203331"],
  );
});

test("clientIp is what trusted proxies say, in the one header that is read", async () => {
  const ipWith = async (options: HttpGatewayOptions, headers: string): Promise<unknown> => {
    await using setup = await serve(options);
    await setup.ask(headers);
    return setup.seen[0]?.clientIp;
  };
  const forwarded = "X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\nForwarded: for=9.9.9.9\r\n";
  assert.equal(await ipWith({}, forwarded), "127.0.0.1");
  assert.equal(await ipWith(proxied, forwarded), "192.0.2.7");
  const byStandard = { ...proxied, forwardedHeader: "forwarded" } as const;
  assert.equal(await ipWith(byStandard, forwarded), "9.9.9.9");
  const ipv6 = 'Forwarded: for=6.6.6.6, for="[2001:db8::7]:4711";proto=https\r\n';
  assert.equal(await ipWith(byStandard, ipv6), "2001:db8::7");
  assert.equal(await ipWith(byStandard, "Forwarded: for=_hidden\r\n"), "127.0.0.1");
  assert.equal(await ipWith(byStandard, "X-Forwarded-For: 6.6.6.6\r\n"), "127.0.0.1");
});

test("settings that no header can have keep a gateway from starting, with the key", async () => {
  const refuse = async (options: HttpGatewayOptions, message: RegExp): Promise<void> =>
    assert.rejects(serve(options), (error: Error) => {
      const reason = (error.cause ?? error) as { readonly message: string };
      assert.match(`${error.message} ${reason.message}`, message);
      return true;
    });
  await refuse(
    { cors: { origins: ["*"], hasCredentials: true } },
    /cors\.credentials is true, and origins has "\*"/,
  );
  await refuse(
    { cors: { origins: ["example.com"] } },
    /cors\.origins "example\.com" is not an origin/,
  );
  await refuse(
    { securityHeaders: { "x-a": "b\r\nx-c: d" } },
    /security_headers\."x-a" has a value/,
  );
  for (const name of ["Content-Length", "transfer-encoding", "content-type"]) {
    const own = /is a header that the gateway writes itself/;
    await refuse({ securityHeaders: { [name]: "5" } }, own);
    await refuse({ requestId: { header: name } }, own);
  }
  await refuse({ requestId: { header: "x y" } }, /request_id\.header "x y" is not the name/);
});
