import assert from "node:assert/strict";
import { test } from "node:test";
import { getHeapSpaceStatistics } from "node:v8";
import * as fc from "fast-check";
import { type OpenRequest, OpenRequests } from "./open-requests.ts";

interface Asked extends OpenRequest {
  readonly name: number;
}

function asked(init: Partial<Asked> & { readonly onCancel?: () => void }): Asked {
  const { onCancel, ...others } = init;
  return {
    name: 0,
    origin: others,
    isStream: false,
    previousRequest: undefined,
    nextRequest: undefined,
    cancel: () => onCancel?.(),
    ...others,
  };
}

test("it holds what a Set holds, and cancels the oldest first, of all or of one origin", () => {
  const step = fc.record({ isAdd: fc.boolean(), name: fc.nat({ max: 9 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, isOfOne) => {
      const origins = [{}, {}];
      const ended: number[] = [];
      const all = Array.from({ length: 10 }, (_, name) =>
        asked({
          name,
          origin: origins[name % 2] ?? {},
          isStream: name % 3 === 0,
          onCancel: () => ended.push(name),
        }),
      );
      const requests = new OpenRequests();
      const model = new Set<Asked>();
      for (const { isAdd, name } of steps) {
        const one = all[name] as Asked;
        if (isAdd) requests.add(one);
        else requests.delete(one);
        if (isAdd) model.add(one);
        else model.delete(one);
        assert.equal(requests.count, model.size);
        assert.equal(requests.streamCount, [...model].filter((some) => some.isStream).length);
      }
      const of = isOfOne ? origins[1] : undefined;
      requests.cancel(new Error("over"), { reason: "over", of });
      const wanted = [...model].filter(({ origin }) => of === undefined || origin === of);
      assert.deepEqual(
        ended,
        wanted.map(({ name }) => name),
      );
      assert.equal(requests.count, model.size - wanted.length);
    }),
  );
});

test("what is ended by the end of another request is not ended twice, and what is begun by it ends too", () => {
  const requests = new OpenRequests();
  const ended: string[] = [];
  const last = asked({ onCancel: () => ended.push("last") });
  const begun = asked({ onCancel: () => ended.push("begun") });
  const first = asked({
    onCancel: () => {
      ended.push("first");
      requests.delete(last);
      requests.add(begun);
    },
  });
  for (const one of [first, last]) requests.add(one);
  requests.cancel(new Error("over"), { reason: "over" });
  assert.deepEqual(ended, ["first", "begun"]);
  assert.equal(requests.count, 0);
});

function oldSpaceSizeBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space");
  return space?.space_used_size ?? Number.NaN;
}

test("requests that have ended are freed by the small collections, also behind a full one", () => {
  const { gc } = globalThis;
  assert.ok(gc, "run with --expose-gc");
  const requests = new OpenRequests();
  const roll = (type: "minor" | "major"): void => {
    for (let batch = 0; batch < 500; batch += 1) {
      const open = Array.from({ length: 8 }, () =>
        asked({ origin: { held: Array.from({ length: 100 }, () => batch) } }),
      );
      for (const one of open) requests.add(one);
      if (batch === 250) gc({ type, execution: "sync" });
      for (const one of open) requests.delete(one);
    }
  };
  roll("major");
  const beforeSizeBytes = oldSpaceSizeBytes();
  for (let round = 0; round < 5; round += 1) roll("minor");
  const grownSizeBytes = oldSpaceSizeBytes() - beforeSizeBytes;
  // Of 20 000 requests, each of about a kilobyte, 8 were open at each of 5 collections.
  assert.ok(grownSizeBytes < 2_000_000, `the old space has grown by ${grownSizeBytes} bytes`);
});
