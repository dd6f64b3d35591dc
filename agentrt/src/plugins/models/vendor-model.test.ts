import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextLog, modelErrors, type ModelRequest } from "../../core/index.ts";
import { type Vendor, VendorModel } from "./vendor-model.ts";

const packageName: string = "a-package-that-nobody-installed";
const vendor: Vendor<object> = {
  type: "absent",
  packageName,
  installCommand: "npm install a-package-that-nobody-installed",
  keyVariable: "ABSENT_KEY",
  ask: () => assert.fail("there is nobody to ask"),
  askStreaming: () => assert.fail("there is nobody to ask"),
  connect: async () => (await import(packageName)) as object,
};
const environment = { ABSENT_KEY: "k" };
const request: ModelRequest = {
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  tools: [],
  signal: new AbortController().signal,
};
const missing = (error: unknown): boolean => {
  assert.ok(error instanceof modelErrors.PACKAGE_MISSING);
  assert.match(error.message, /`npm install a-package-that-nobody-installed` brings it/);
  assert.equal(error.exitCode, 1);
  return true;
};

test("a package that is missing refuses the start, with the command that brings it", () => {
  const provider = new VendorModel(vendor, { environment });
  const log = createTextLog({ write: () => undefined });
  assert.throws(() => provider.open({ name: "absent", log, nowMs: () => 0 }), missing);
});

test("a package that is missing at the first request says the same, and again", async () => {
  const provider = new VendorModel(vendor, { environment });
  await assert.rejects(provider.chat(request), missing);
  await assert.rejects(provider.chat(request), missing);
  await assert.rejects(provider.stream(request).next(), missing);
});
