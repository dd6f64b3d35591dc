import assert from "node:assert/strict";
import { test } from "node:test";

/** What the suite needs to know of a store: the shape of the runtime's `StateStore` port. */
export interface StoreUnderTest {
  get(agent: string): Promise<{ [key: string]: unknown } | undefined>;
  set(agent: string, state: { [key: string]: never }): Promise<void>;
  delete(agent: string): Promise<void>;
  listAgents(): Promise<string[]>;
  close(): Promise<void>;
}

type State = { [key: string]: never };

function state(value: { readonly [key: string]: unknown }): State {
  return value as State;
}

/**
 * Registers the tests that every state store must pass.
 *
 * @param name Name of the store in the test names.
 * @param open Opens an empty store for one test; the suite closes it.
 */
export function testStateStore(name: string, open: () => Promise<StoreUnderTest>): void {
  const withStore = (subject: string, body: (store: StoreUnderTest) => Promise<void>): void => {
    test(`${name}: ${subject}`, async () => {
      const store = await open();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    });
  };

  withStore("get() of an unknown agent gives undefined", async (store) => {
    assert.equal(await store.get("nobody"), undefined);
  });

  withStore("get() gives what set() saved, all kinds of JSON in it", async (store) => {
    const saved = {
      text: 'žluť 🚀 \u0000 "quoted"',
      numbers: [0, -1.5, 1e300],
      nothing: null,
      truth: [true, false],
      deep: { deeper: { deepest: [] } },
    };
    await store.set("keeper", state(saved));
    assert.deepEqual(await store.get("keeper"), saved);
  });

  withStore("set() replaces the whole state", async (store) => {
    await store.set("keeper", state({ first: 1, second: 2 }));
    await store.set("keeper", state({ second: 3 }));
    assert.deepEqual(await store.get("keeper"), { second: 3 });
  });

  withStore(
    "a state that is too large is a typed error, and the one before it stays",
    async (store) => {
      await store.set("keeper", state({ count: 1 }));
      const padding = "x".repeat(70 * 1024 * 1024);
      await assert.rejects(store.set("keeper", state({ padding })), {
        code: "AGENTRT_STATE_TOO_LARGE",
      });
      assert.deepEqual(await store.get("keeper"), { count: 1 });
    },
  );

  withStore("a state is isolated from the objects that go in and come out", async (store) => {
    const saved = { list: [1] };
    await store.set("keeper", state(saved));
    saved.list.push(2);
    const first = (await store.get("keeper")) as { list: number[] } | undefined;
    assert.deepEqual(first, { list: [1] });
    first?.list.push(3);
    assert.deepEqual(await store.get("keeper"), { list: [1] });
  });

  withStore("delete() forgets one agent and ignores an unknown one", async (store) => {
    await store.set("first", state({}));
    await store.set("second", state({ kept: true }));
    await store.delete("first");
    await store.delete("nobody");
    assert.equal(await store.get("first"), undefined);
    assert.deepEqual(await store.get("second"), { kept: true });
  });

  withStore("listAgents() gives the names sorted by code units", async (store) => {
    for (const agent of ["zebra", "apple", "Žába", "a/b", "__proto__"]) {
      await store.set(agent, state({}));
    }
    assert.deepEqual(await store.listAgents(), ["__proto__", "a/b", "apple", "zebra", "Žába"]);
    assert.deepEqual(await store.get("__proto__"), {});
    assert.equal(await store.get("toString"), undefined);
  });

  withStore("a member named __proto__ is an ordinary member", async (store) => {
    await store.set("keeper", JSON.parse('{"__proto__":{"polluted":true}}') as State);
    const loaded = await store.get("keeper");
    assert.deepEqual(Object.keys(loaded ?? {}), ["__proto__"]);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  test(`${name}: close() twice is harmless`, async () => {
    const store = await open();
    await store.close();
    await store.close();
  });
}
