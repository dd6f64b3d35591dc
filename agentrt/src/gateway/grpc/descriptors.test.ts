import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileDescriptors } from "./descriptors.ts";
import { readFields, readNested, readText } from "./wire-reader.ts";

/** Names and numbers of a descriptor's parts: `wanted` is the field that holds them. */
function partsOf(bytes: Buffer, wanted: number): Buffer[] {
  return [...readFields(bytes)].filter(({ number }) => number === wanted).map(readNested);
}

function nameOf(bytes: Buffer): string {
  for (const field of readFields(bytes)) if (field.number === 1) return readText(field);
  return "";
}

function numberOf(bytes: Buffer): number {
  for (const field of readFields(bytes)) if (field.number === 3) return field.value;
  return 0;
}

test("what reflection tells of our service is what agent.proto says", () => {
  const text = readFileSync(new URL("agent.proto", import.meta.url), "utf8");
  const files = fileDescriptors.map((file) => Buffer.from(file, "base64"));
  const own = files.find((file) => nameOf(file) === "agentrt/agent.proto");
  assert.ok(own !== undefined);
  const told: string[] = [];
  for (const message of partsOf(own, 4)) {
    told.push(`message ${nameOf(message)}`);
    for (const field of partsOf(message, 2)) told.push(`${nameOf(field)} = ${numberOf(field)}`);
  }
  for (const service of partsOf(own, 6)) {
    told.push(`service ${nameOf(service)}`);
    for (const method of partsOf(service, 2)) told.push(`rpc ${nameOf(method)}`);
  }
  const written = text.match(/^(?:message|service) \w+|\brpc \w+|\w+ = \d+(?=;)/gm);
  assert.deepEqual(told.toSorted(), written?.toSorted());
});

test("reflection has every file that one of its files imports", () => {
  const files = fileDescriptors.map((file) => Buffer.from(file, "base64"));
  const names = new Set(files.map(nameOf));
  for (const file of files) {
    for (const dependency of partsOf(file, 3)) assert.ok(names.has(dependency.toString()));
  }
});
