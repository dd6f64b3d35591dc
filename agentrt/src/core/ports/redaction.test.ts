import assert from "node:assert/strict";
import { test } from "node:test";
import { createRedactor, isSecretName } from "./redaction.ts";

test("names of secrets are told from others", () => {
  for (const name of [
    "apiKey",
    "api_key",
    "X-API-Key",
    "Authorization",
    "cookie",
    "set-cookie",
    "accessToken",
    "refresh_token",
    "token",
    "PASSWORD",
    "dbPassword",
    "clientSecret",
    "credentials",
    "OPENAI_API_KEY",
    "AGENTRT_STATE_KEY",
  ]) {
    assert.equal(isSecretName(name), true, name);
  }
  for (const name of [
    "tokensIn",
    "tokens_out",
    "key",
    "monkey",
    "tokenCount",
    "secretary",
    "agent",
    "passwordLengthMin",
    "type",
  ]) {
    assert.equal(isSecretName(name), false, name);
  }
});

test("secrets in running text are replaced, whatever stands around them", () => {
  const { text } = createRedactor({ OPENAI_API_KEY: "env-secret-4711", HOME: "/home/somebody" });
  for (const [given, shown] of [
    ["Authorization: Bearer abcdef123456", "Authorization: Bearer ***"],
    [
      "cannot reach postgresql://user:p4ss@db:5432/x",
      "cannot reach postgresql://user:***@db:5432/x",
    ],
    ["redis://:hunter22@cache", "redis://:***@cache"],
    ["key sk-ant-REDACTED-1234567890ab is wrong", "key sk-*** is wrong"],
    ["token eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl expired", "token eyJ*** expired"],
    ["api_key=abcd1234&x=1", "api_key=***&x=1"],
    ['{"password": "x", "password: hunter22"}', '{"password": "x", "password: ***"}'],
    ["it was env-secret-4711, in /home/somebody", "it was ***, in /home/somebody"],
    ["http://host:8080/path@2x", "http://host:8080/path@2x"],
    ["the token was refused", "the token was refused"],
    ["skating is fun", "skating is fun"],
    ["config.api_key: wanted no key", "config.api_key: wanted no key"],
    ["password: wanted1234", "password: ***"],
    ["password: unknown", "password: ***"],
  ] as const) {
    assert.equal(text(given), shown);
  }
});

test("values of secret names are replaced at any depth, and the texts beside them are looked through", () => {
  const { json } = createRedactor();
  const value = {
    url: "https://u:secret99@host/",
    headers: { authorization: "Basic abc", accept: "*/*" },
    list: [{ apiKey: "1234", tokensIn: 5 }],
    note: "Bearer abcdef123456",
  };
  assert.deepEqual(JSON.parse(json("payload", value) ?? ""), {
    url: "https://u:***@host/",
    headers: { authorization: "***", accept: "*/*" },
    list: [{ apiKey: "***", tokensIn: 5 }],
    note: "Bearer ***",
  });
  assert.equal(json("password", { any: "thing" }), '"***"');
  assert.equal(json("big", 12n), '"12"');
});

test("a text that is made to be slow for the patterns is looked through", () => {
  const { text } = createRedactor();
  for (const hostile of [
    "a:".repeat(50_000),
    "eyJ".repeat(30_000),
    `token${" ".repeat(100_000)}x`,
  ]) {
    assert.equal(text(hostile), hostile);
  }
});
