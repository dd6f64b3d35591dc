/** Where both vendors' models find their keys, and which settings they refuse. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { startScriptedServer } from "testkit";
import { TableError } from "../../core/index.ts";
import type { VendorModelOptions } from "./model-options.ts";
import { key, question, vendors, withProvider, code } from "./test-support/vendor-cases.ts";

for (const vendor of vendors) {
  const { name, answer } = vendor;

  test(`${name}: without a key calls say which variable to set, and a warning comes at the start`, async () => {
    const environment = { MY_KEY: " " };
    const options = { apiKeyEnv: "MY_KEY", environment };
    await withProvider({ ...vendor, options }, [answer()], async ({ ask, requests, printed }) => {
      await assert.rejects(ask(), { ...code("KEY_MISSING"), message: /MY_KEY/ });
      assert.equal(requests.length, 0);
      assert.ok(printed.some((line) => /^warn.*no key.*variable=MY_KEY/.test(line)));
    });
  });

  test(`${name}: a server of one's own may want no key, and a key that is replaced is seen`, async () => {
    const environment: { [variable: string]: string } = {};
    await withProvider(
      { ...vendor, options: { environment } },
      [answer()],
      async ({ ask, requests }) => {
        await ask();
        environment[`${name.toUpperCase()}_API_KEY`] = "second-key";
        await ask();
        const sent = requests.map(({ headers }) => headers["authorization"]);
        assert.deepEqual(sent, ["Bearer none", "Bearer second-key"]);
      },
    );
  });

  test(`${name}: an agent's own key goes before the provider's, and is missed by its own name`, async () => {
    await using server = await startScriptedServer(answer());
    const provider = vendor.make({
      baseUrl: `${server.url}${vendor.suffix}`,
      environment: { ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key, OWN_KEY: "own" },
    });
    const ask = (keyVariable?: string) =>
      provider.chat({
        ...question,
        model: "m",
        tools: [],
        signal: new AbortController().signal,
        keyVariable,
      });
    await ask();
    await ask("OWN_KEY");
    await ask();
    const sent = server.requests.map(({ headers }) => headers["authorization"]);
    assert.deepEqual(sent, [`Bearer ${key}`, "Bearer own", `Bearer ${key}`]);
    await assert.rejects(ask("LOST_KEY"), { ...code("KEY_MISSING"), message: /LOST_KEY/ });
  });

  for (const [options, option] of [
    [{ apiKey: key }, "apiKey"],
    [{ maxTokens: 0 }, "maxTokens"],
    [{ retryCountMax: -1 }, "retryCountMax"],
    [{ timeoutMs: 300_001 }, "timeoutMs"],
    [{ baseUrl: "localhost:80" }, "baseUrl"],
    [{ baseUrl: "http://user:pass@localhost" }, "baseUrl"],
  ] as const) {
    test(`${name}: ${option} ${inspect(Object.values(options)[0])} is refused`, () => {
      assert.throws(
        () => vendor.make(options as VendorModelOptions),
        (error) => {
          assert.ok(error instanceof TableError);
          assert.equal(error.code, "AGENTRT_MODEL_CONFIG_INVALID");
          assert.ok(error.message.includes(`: ${option}: `));
          assert.equal(error.message.includes(key), false);
          return true;
        },
      );
    });
  }
}
