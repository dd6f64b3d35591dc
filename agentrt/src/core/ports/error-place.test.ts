import assert from "node:assert/strict";
import { test } from "node:test";
import { ownFolder } from "../own-folder.ts";
import { agentErrors } from "../errors.ts";
import { placeOfError } from "./error-place.ts";

function thrownAt(error: Error, places: readonly string[]): Error {
  error.stack = [
    `${error.name}: ${error.message}`,
    ...places.map((place) => `    at f (${place})`),
  ].join("\n");
  return error;
}

const ours = `${ownFolder}bus/message-bus.ts:1:1`;
const packaged = "file:///app/node_modules/zod/parse.js:3:3";
const theirs = "file:///my%20app/agents.ts:6:34";

test("an error's place is the first in the user's own code, then in a package of theirs, then in a cause", () => {
  const place = (...places: string[]): string | undefined =>
    placeOfError(thrownAt(new Error("no"), places));
  assert.equal(place(ours, packaged, theirs), "/my app/agents.ts:6:34");
  assert.equal(place(ours, packaged), "/app/node_modules/zod/parse.js:3:3");
  // A fault of ours has to be found, too.
  assert.equal(place("node:net:1:1", ours), new URL(ours).pathname);
  const known = new agentErrors.DRAINED({ agent: "desk" });
  assert.equal(placeOfError(thrownAt(known, [ours])), undefined);
  const cause = thrownAt(new Error("why"), [ours, theirs]);
  const outer = thrownAt(new Error("no", { cause }), [ours, packaged]);
  assert.equal(placeOfError(outer), "/my app/agents.ts:6:34");
});
