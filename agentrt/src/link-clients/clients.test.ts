/** What a missing client library is found by, and what is said of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeKinds } from "../node-kinds/index.ts";
import { parseTopology } from "../topology/index.ts";
import { missingClient } from "./index.ts";

test("a client library is looked for without loading it", () => {
  const packages = { nats: "@agentrt/no-such-package@1.2.3", zmq: "zeromq@6.8.0" };
  assert.equal(missingClient("nats", packages), "npm install @agentrt/no-such-package@1.2.3");
  assert.equal(missingClient("zmq", packages), undefined);
  assert.equal(missingClient("in_process", packages), undefined);
});

test("a topology whose transport lacks its library is valid, and a note at its place says what installs it", () => {
  const { problems, notes } = parseTopology(
    "supervision: { name: root, children: [{ name: a, type: agents.A }] }\ntransport:\n  type: zmq\n",
    {
      fileName: "t.yaml",
      kinds: nodeKinds,
      missingClient: (transport) => `npm install ${transport}-client`,
    },
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(
    notes.map(({ line1, column1, path, message }) => [line1, column1, path, message]),
    [
      [
        3,
        9,
        "transport.type",
        "its client library is not installed, which `agentrt run` needs: run `npm install zmq-client`",
      ],
    ],
  );
});
