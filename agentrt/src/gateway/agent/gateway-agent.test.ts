import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { RawHttpClient, type RawHttpResponse } from "testkit";
import { Agent, child, createTextLog, type Message, supervisor } from "../../core/index.ts";
import { Runtime } from "../../runtime/index.ts";
import type { GatewayRequest } from "../request.ts";
import { httpGatewaySpec } from "./gateway-agent.ts";
import type { HttpGatewayOptions } from "./gateway-options.ts";

class Greeter extends Agent {
  override handle(message: Message): object {
    const name = message.payload["name"] ?? "world";
    const { type, traceId, parentSpanId } = message;
    return { greeting: `Hello, ${JSON.stringify(name)}!`, type, traceId, parentSpanId };
  }
}

/** Signals of a held agent: `entered` settles when it handles, and it handles until `leave` is called. */
class Gate {
  readonly entered = Promise.withResolvers<void>();
  readonly #left = Promise.withResolvers<void>();
  leave(): void {
    this.#left.resolve();
  }
  pass(): Promise<void> {
    this.entered.resolve();
    return this.#left.promise;
  }
}

interface Setup extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly port: number;
  readonly gate: Gate;
  readonly logged: string[];
  /** What `onListening` was told. */
  readonly told: object[];
  ask(request: string, body?: string): Promise<RawHttpResponse | undefined>;
}

/** @param isTold Whether the gateway has somebody to tell where it listens; otherwise it logs that. */
async function serve(options: HttpGatewayOptions = {}, isTold = true): Promise<Setup> {
  const gate = new Gate();
  class Held extends Agent {
    override async handle(message: Message): Promise<object> {
      if (message.payload["isCrashing"] === true) throw new Error("secret detail");
      await gate.pass();
      return { isHeld: true };
    }
  }
  const logged: string[] = [];
  const told: object[] = [];
  let port = 0;
  const onListening = (address: { readonly port: number }): void => {
    told.push(address);
    port = address.port;
  };
  const ports = {
    get system() {
      return runtime.system;
    },
    environment: {},
    chooseCapable: (tag: string): string => runtime.registry.chooseCapable(tag, { random: 0 }),
    hasAgent: (name: string): boolean => runtime.registry.get(name)?.kind === "agent",
    isClosed: () => false,
    isInfrastructure: () => false,
    ...(isTold ? { onListening } : {}),
  };
  const runtime: Runtime = new Runtime({
    log: createTextLog({ write: (line) => void logged.push(line) }),
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [
        child(Greeter, "greeter"),
        child(Held, "held", { mailboxLengthMax: 1 }),
        httpGatewaySpec("api", { host: "127.0.0.1", port: 0, ...options }, ports),
      ],
    }),
  });
  await runtime.start();
  if (!isTold) port = Number(/ url=\S+:(\d+)/.exec(logged.join(""))?.[1]);
  return {
    runtime,
    port,
    gate,
    logged,
    told,
    async ask(request, body = "") {
      await using client = await RawHttpClient.open(port); // Of the latest start.
      const length = `Content-Length: ${Buffer.byteLength(body)}`;
      client.send(`${request} HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n${body}`);
      return await client.response();
    },
    async [Symbol.asyncDispose]() {
      gate.leave();
      await runtime.stop();
    },
  };
}

test("a gateway in a running tree answers calls and casts by its default routes", async () => {
  await using setup = await serve();
  const answer = async (request: string, body?: string): Promise<unknown> => {
    const response = await setup.ask(request, body);
    return [response?.status, JSON.parse(response?.body ?? "")];
  };
  const reply = await setup.ask("POST /agents/greeter", '{"name":"Ada"}');
  assert.equal(reply?.status, 200);
  assert.match(reply?.body ?? "", /^\{"greeting":"Hello, \\"Ada\\"!","type":"http.request",/);
  assert.deepEqual(await answer("POST /agents/greeter/cast", "{}"), [202, {}]);
  for (const name of ["nobody", "root", "__proto__"]) {
    assert.deepEqual(await answer(`POST /agents/${name}`), [
      404,
      { error: `agent '${name}' not found` },
    ]);
  }
  assert.deepEqual(await answer("POST /agents/greeter", '{"a":1e999}'), [
    400,
    { error: "request body holds a value that is not JSON" },
  ]);
});

test("a gateway hands a client's trace to the agent, over declared routes too", async () => {
  await using setup = await serve({
    routes: [{ method: "GET", path: "/hello/{name}", agent: "greeter" }],
  });
  await using client = await RawHttpClient.open(setup.port);
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const parentSpanId = "b7ad6b7169203331";
  const ask = async (more: string): Promise<{ readonly [name: string]: unknown }> => {
    client.send(`GET /hello/Ada HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`);
    return JSON.parse((await client.response())?.body ?? "");
  };
  const traced = await ask(`traceparent: 00-${traceId}-${parentSpanId}-01\r\n`);
  assert.deepEqual([traced["traceId"], traced["parentSpanId"]], [traceId, parentSpanId]);
  const untraced = await ask("");
  assert.match(String(untraced["traceId"]), /^[0-9a-f]{32}$/);
  assert.notEqual(untraced["traceId"], traceId);
  assert.equal(untraced["parentSpanId"], null);
  const other = await ask("");
  assert.notEqual(other["traceId"], untraced["traceId"]);
});

test("an agent that crashes in a call gives 502 at once and serves the next call", async () => {
  await using setup = await serve();
  const crash = await setup.ask("POST /agents/held", '{"isCrashing":true}');
  assert.deepEqual([crash?.status, crash?.body], [502, `{"error":"agent 'held' crashed"}`]);
  setup.gate.leave();
  assert.equal((await setup.ask("POST /agents/held"))?.status, 200);
});

test("an agent that does not answer in time gives 504, and a cast without room 503", async () => {
  await using setup = await serve({ requestTimeoutMs: 40 });
  const late = setup.ask("POST /agents/held");
  await setup.gate.entered.promise;
  assert.deepEqual(
    [(await late)?.status, (await late)?.body],
    [504, '{"error":"upstream timeout"}'],
  );
  assert.equal((await setup.ask("POST /agents/held/cast"))?.status, 202);
  const full = await setup.ask("POST /agents/held/cast");
  assert.deepEqual(
    [full?.status, full?.headers["retry-after"], full?.body],
    [503, "1", `{"error":"agent 'held' has no room for more messages"}`],
  );
});

test("a gateway takes request timeouts that no timer could hold, or are no whole milliseconds", async () => {
  for (const requestTimeoutMs of [0.5, 30_000.0001, 1e15]) {
    await using setup = await serve({ requestTimeoutMs });
    const status = (await setup.ask("POST /agents/greeter"))?.status;
    assert.ok(status === 200 || (requestTimeoutMs < 1 && status === 504), `${requestTimeoutMs}`);
  }
});

test("a stopped agent gives 503", async () => {
  await using setup = await serve();
  await setup.runtime.stopAgent("greeter");
  const stopped = await setup.ask("POST /agents/greeter");
  assert.deepEqual(
    [stopped?.status, stopped?.body],
    [503, `{"error":"agent 'greeter' is stopped"}`],
  );
});

test("an agent that crashed for good gives 503, without the reason and without a time to come again", async () => {
  await using setup = await serve();
  for (let count = 0; count < 4; count += 1)
    await setup.ask("POST /agents/held", '{"isCrashing":true}');
  const crashed = await setup.ask("POST /agents/held");
  assert.deepEqual(
    [crashed?.status, crashed?.headers["retry-after"], crashed?.body],
    [503, undefined, `{"error":"agent 'held' has crashed and is not being restarted"}`],
  );
});

test("a runtime that stops finishes the request in work and then closes the port", async () => {
  await using setup = await serve();
  const inWork = setup.ask("POST /agents/held");
  await setup.gate.entered.promise;
  const stopped = setup.runtime.stop();
  setup.gate.leave();
  const response = await inWork;
  assert.deepEqual([response?.status, response?.headers["connection"]], [200, "close"]);
  assert.deepEqual((await stopped).lateNames, []);
  await assert.rejects(setup.ask("POST /agents/greeter"), { code: "ECONNREFUSED" });
});

test("a gateway that is restarted closes its old port and listens again", async () => {
  await using setup = await serve();
  await using idle = await RawHttpClient.open(setup.port);
  const restarted = new Promise<void>((resolve) => {
    setup.runtime.onEvent((event) => {
      if (event.type === "agent.started" && event.name === "api") resolve();
    });
  });
  await setup.runtime.restart("api");
  assert.equal(await idle.closed(), "");
  await restarted;
  assert.equal((await setup.ask("POST /agents/greeter"))?.status, 200);
});

test("a gateway whose port is taken keeps the runtime from starting and names the port", async () => {
  await using setup = await serve();
  await assert.rejects(serve({ port: setup.port }), (error: Error) => {
    assert.match(
      `${error.message} ${String(error.cause)}`,
      /gateway "api" on 127\.0\.0\.1 port \d+/,
    );
    return true;
  });
});

test("a gateway that knows no such route logs nothing, and one that listens tells where or logs it", async () => {
  await using setup = await serve();
  assert.equal((await setup.ask("GET /nowhere"))?.status, 404);
  assert.deepEqual(setup.logged, []);
  const { port } = setup;
  const url = `http://127.0.0.1:${port}`;
  assert.deepEqual(setup.told, [{ node: "api", host: "127.0.0.1", port, url }]);

  await using alone = await serve({}, false);
  assert.equal((await alone.ask("GET /nowhere"))?.status, 404);
  assert.equal(alone.logged.length, 1, alone.logged.join(""));
  assert.match(alone.logged[0] ?? "", /^info +listening .*url=http:\/\/127\.0\.0\.1:\d+/);
});

test("errors that clients bring about are one line, and their count at the end", async () => {
  const broken = async (): Promise<never> => {
    throw new Error("identity provider is away");
  };
  const logged = await (async () => {
    await using setup = await serve({ middleware: [broken] });
    for (let count = 0; count < 20; count += 1) {
      assert.equal((await setup.ask("POST /agents/greeter"))?.status, 500);
    }
    assert.equal(setup.logged.filter((line) => line.includes("is away")).length, 1);
    return setup.logged;
  })();
  const lines = logged.filter((line) => line.includes("is away"));
  assert.equal(lines.length, 2, lines.join(""));
  assert.match(lines[1] ?? "", /more like the one before.*count=19/);
});

test("a client that brings about errors without end hides those of no other client", async () => {
  const broken = async ({ queryParams }: GatewayRequest): Promise<never> => {
    throw new Error(`bad ${queryParams["n"]}`);
  };
  await using setup = await serve({ middleware: [broken], host: "127.0.0.1" });
  const askFrom = async (localAddress: string, n: number): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { port } = setup;
    const path = `/agents/greeter?n=${n}`;
    const sent = request({ port, host: "127.0.0.1", localAddress, method: "POST", path });
    sent.on("response", (response) => response.resume().on("end", resolve));
    sent.on("error", reject).end();
    await promise;
  };
  // The same error and others: its own lines are bounded, too.
  for (let n = 0; n < 1_100; n += 1) await askFrom("127.0.0.1", n);
  const noisy = setup.logged.filter((line) => line.includes("client=127.0.0.1"));
  assert.ok(noisy.length > 1 && noisy.length < 50, `${noisy.length} lines`);
  await askFrom("127.0.0.2", 1);
  assert.match(setup.logged.at(-1) ?? "", /A gateway route failed.*client=127\.0\.0\.2/);
});
