/** The rate limiter in a running tree under virtual time, asked over real sockets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, type ChildSpec, child, type JsonObject, supervisor } from "../../core/index.ts";
import { Runtime } from "../../runtime/index.ts";
import { VirtualClock } from "../../testing/index.ts";
import { httpGatewaySpec } from "../agent/gateway-agent.ts";
import { RateLimiter } from "./rate-limiter.ts";

class Echo extends Agent {
  override handle(): object {
    return { isEchoed: true };
  }
}

class Crashing extends Agent {
  override handle(): object {
    throw new Error("out of order");
  }
}

interface Setup extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly runtime: Runtime;
  readonly logged: string[];
  /** Status, `Retry-After` and `RateLimit` of one request. */
  ask(key?: string): Promise<readonly [number, string | null, string | null]>;
}

const limiterPath = "agentrt.gateway.ratelimit.rate_limit";
const keyPath = "agentrt.gateway.auth.require_api_key";

async function serve(
  children: readonly ChildSpec[],
  middleware: readonly string[] = [limiterPath],
): Promise<Setup> {
  const clock = new VirtualClock();
  const logged: string[] = [];
  const write = (message: string): void => void logged.push(message);
  const log = { debug: write, info: () => undefined, warn: write, error: write, with: () => log };
  let port = 0;
  const runtime: Runtime = new Runtime({
    system: clock,
    log,
    supervision: supervisor("root", {
      backoffBaseMs: 0,
      children: [
        child(Echo, "echo"),
        ...children,
        httpGatewaySpec(
          "api",
          {
            host: "127.0.0.1",
            port: 0,
            middleware,
            routes: [{ method: "GET", path: "/", agent: "echo" }],
          },
          {
            system: clock,
            environment: { AGENTRT_GATEWAY_API_KEYS: "ada,bob" },
            chooseCapable: () => assert.fail("no capability is asked for"),
            hasAgent: (name) => runtime.registry.get(name)?.kind === "agent",
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
    clock,
    runtime,
    logged,
    async ask(key = "ada") {
      const headers = { "x-api-key": key, "x-forwarded-for": `10.0.0.${Math.random()}` };
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
      await response.arrayBuffer();
      const { headers: found } = response;
      return [response.status, found.get("retry-after"), found.get("ratelimit")];
    },
    async [Symbol.asyncDispose]() {
      const stop = { isDone: false };
      const stopped = runtime.stop().finally(() => {
        stop.isDone = true;
      });
      // Its steps take turns: real sockets close, then a time of the virtual clock is over.
      while (!stop.isDone) {
        await clock.settle(stopped);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function limiter(config: JsonObject): ChildSpec {
  return child(RateLimiter, "rate_limiter", { config });
}

test("rate_limit counts in a sliding window, and says what is left and when to come again", async () => {
  await using setup = await serve([limiter({ max_requests: 2, window_seconds: 60 })]);
  assert.deepEqual(await setup.ask(), [200, null, '"rate_limiter";r=1;t=60']);
  await setup.clock.advance(30_500);
  assert.deepEqual(await setup.ask(), [200, null, '"rate_limiter";r=0;t=60']);
  assert.deepEqual(await setup.ask(), [429, "30", '"rate_limiter";r=0;t=60']);
  await setup.clock.advance(29_000);
  assert.deepEqual(await setup.ask(), [429, "1", '"rate_limiter";r=0;t=31']);
  await setup.clock.advance(500);
  assert.deepEqual(await setup.ask(), [200, null, '"rate_limiter";r=0;t=60']);
  assert.deepEqual(await setup.ask(), [429, "31", '"rate_limiter";r=0;t=60']);
});

test("rate_limit lets exactly the allowed number pass, however many come at once", async () => {
  await using setup = await serve([limiter({ max_requests: 100 })]);
  const answers = await Promise.all(Array.from({ length: 1500 }, () => setup.ask()));
  const statuses = answers.map(([status]) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 100);
  assert.equal(statuses.filter((status) => status === 429).length, 1400);
});

test("rate_limit tells clients apart by what was verified in front of it, when told so", async () => {
  const config = { max_requests: 1, window_seconds: 60, key: "api_key" };
  await using setup = await serve([limiter(config)], [keyPath, limiterPath]);
  const statuses = async (...keys: readonly string[]): Promise<number[]> => {
    const found = [];
    for (const key of keys) found.push((await setup.ask(key))[0]);
    return found;
  };
  assert.deepEqual(await statuses("ada", "ada", "bob", "bob", "eve"), [200, 429, 200, 429, 401]);
});

test("a limiter that is not there, or does not answer, lets nothing pass, and is told of once a minute", async () => {
  await using missing = await serve([]);
  assert.equal((await missing.ask())[0], 500);
  await missing.ask();
  assert.equal(missing.logged.length, 1, missing.logged.join("\n"));
  assert.match(missing.logged[0] ?? "", /there is no agent "rate_limiter"/);
  await using crashing = await serve([child(Crashing, "rate_limiter")]);
  assert.deepEqual(await crashing.ask(), [503, "1", null]);
  assert.ok(crashing.logged.some((line) => line.includes("the rate limiter does not answer")));
});

test("RateLimiter refuses a config that says nothing sensible", async () => {
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ max_requests: 0 }, "max_requests is 0, wanted a whole number from 1 to 1000000"],
    [{ max_requests: "5" }, 'max_requests is "5", wanted a whole number from 1 to 1000000'],
    [{ max_requests: 1.5 }, "max_requests is 1.5, wanted a whole number from 1 to 1000000"],
    [{ window_seconds: 0 }, "window_seconds is 0, wanted seconds from 0.001 to 86400"],
    [
      { key: "cookie" },
      'key is "cookie", wanted address, forwarded_address, api_key, principal or claim:<name>',
    ],
    [
      { max_request: 5 },
      "max_request is 5, wanted no such key: it takes max_requests, window_seconds, key",
    ],
  ];
  for (const [config, reason] of rows) {
    assert.throws(() => new RateLimiter("rate_limiter", { config }), {
      code: "AGENTRT_RATE_LIMIT_CONFIG_INVALID",
      message: `Cannot start rate limiter "rate_limiter": config.${reason}`,
    });
  }
});
