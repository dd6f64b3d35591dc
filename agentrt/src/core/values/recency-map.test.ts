import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertLaw, constant, nat, oneof, property, record } from "fast-check";
import { RecencyMap } from "./recency-map.ts";

test("a map of recency says what an ordinary one says that is set anew each time, whatever is done in whatever order", () => {
  const steps = array(
    record({
      act: oneof(constant("set" as const), constant("delete" as const), constant("clear" as const)),
      key: nat(8),
      value: nat(),
    }),
    { maxLength: 60 },
  );
  assertLaw(
    property(steps, (taken) => {
      const [map, model] = [new RecencyMap<number, number>(), new Map<number, number>()];
      for (const { act, key, value } of taken) {
        if (act === "set") {
          map.set(key, value);
          model.delete(key);
          model.set(key, value);
        } else if (act === "delete") assert.equal(map.delete(key), model.delete(key));
        else {
          map.clear();
          model.clear();
        }
        assert.equal(map.size, model.size);
        assert.equal(map.get(key), model.get(key));
        const [oldest] = model;
        assert.deepEqual([map.oldest?.key, map.oldest?.value], oldest ?? [undefined, undefined]);
      }
      // What is left goes in its order.
      for (const key of model.keys()) {
        assert.equal(map.oldest?.key, key);
        map.delete(key);
      }
      assert.equal(map.oldest, undefined);
    }),
  );
});
