import assert from "node:assert/strict";
import { test } from "node:test";
import { cursorsText, readCursors } from "./cursors.ts";

test("places in several processes are read as they were written, whatever the processes are called", () => {
  const places = ["", "back", "a=b,c", "büro-1", "~x"].map((process, number) => ({
    process,
    cursor: { epoch: `e${number}`, number },
  }));
  const text = cursorsText([...places, { process: "away", cursor: undefined }]);
  assert.match(text, /^[\w\-=,%~]+$/);
  assert.deepEqual(
    [...(readCursors(text) ?? [])],
    places.map(({ process, cursor }) => [process, cursor]),
  );
  assert.deepEqual(readCursors("")?.size, 0);
});

test("an id that was not written so is refused", () => {
  for (const text of ["x", "e-", "-1", "back=e", "e-1,", "%E0%A4%A=e-1", "E-1", "e-1;back=e-1"])
    assert.equal(readCursors(text), undefined, text);
  assert.equal(readCursors("e-1,".repeat(30_000)), undefined);
});
