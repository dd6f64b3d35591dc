import assert from "node:assert/strict";
import { test } from "node:test";
import { billOfMaterials } from "./bill-of-materials.ts";

const executable = {
  version: "1.2.3",
  name: "linux-x64",
  content: Buffer.from("program"),
  tables: [{ name: "words.bin", content: Buffer.from("table") }],
  changedSeconds: 1_700_000_000,
  packages: [
    {
      name: "@scope/part",
      version: "4.5.6",
      license: "MIT",
      sha512: "ab".repeat(64),
      licenseTexts: [],
    },
  ],
};

test("billOfMaterials() names each part with its version, digest and licence; twice the same", () => {
  const text = billOfMaterials(executable);
  assert.equal(billOfMaterials(executable), text);
  const { serialNumber, metadata, components, dependencies } = JSON.parse(text) as {
    readonly serialNumber: string;
    readonly metadata: { readonly timestamp: string; readonly component: { "bom-ref": string } };
    readonly components: readonly { readonly [name: string]: unknown }[];
    readonly dependencies: readonly unknown[];
  };
  const wanted = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.match(serialNumber, wanted);
  assert.equal(metadata.timestamp, "2023-11-14T22:13:20.000Z");
  assert.deepEqual(components[0], {
    type: "library",
    "bom-ref": "pkg:npm/%40scope/part@4.5.6",
    group: "@scope",
    name: "part",
    version: "4.5.6",
    hashes: [{ alg: "SHA-512", content: "ab".repeat(64) }],
    licenses: [{ license: { id: "MIT" } }],
    purl: "pkg:npm/%40scope/part@4.5.6",
  });
  assert.equal(components[1]?.["type"], "data");
  const dependsOn = ["pkg:npm/%40scope/part@4.5.6", "words.bin"];
  assert.deepEqual(dependencies, [{ ref: metadata.component["bom-ref"], dependsOn }]);
  const other = { ...executable, content: Buffer.from("another program") };
  assert.notEqual(JSON.parse(billOfMaterials(other)).serialNumber, serialNumber);
});
