/** Names of services, which are names in the network, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assert as assertProperty, property, string } from "fast-check";
import { serviceName } from "./index.ts";

test("a name of a service is a label of the domain name system, and two names never get the same one", () => {
  for (const name of ["heavy", "a1-b2"]) assert.equal(serviceName(name), name);
  assertProperty(
    property(string({ unit: "binary" }), string({ unit: "grapheme" }), (one, other) => {
      assert.match(serviceName(one), /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
      assert.equal(serviceName(one) === serviceName(other), one === other);
    }),
  );
});
