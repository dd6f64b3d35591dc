import assert from "node:assert/strict";
import { test } from "node:test";
import { extractSymbols } from "../../syntax/index.ts";
import { isQualifiedBy, readQualifiedName } from "./qualified-name.ts";

test("a qualified name is read in the ways languages write it", () => {
  for (const [query, expected] of [
    ["Rack::Response", ["Rack", "Response"]],
    ["a.b.Config.load()", ["Config", "load"]],
    ["Array#empty?", ["Array", "empty?"]],
    ["App\\Http\\Kernel", ["Http", "Kernel"]],
    ["std::vector::push_back", ["vector", "push_back"]],
  ] as const)
    assert.deepEqual(readQualifiedName(query), { qualifier: expected[0], name: expected[1] });
  for (const query of ["Response", "a b", "x = a.b", "1.5", "foo.", "::foo", "a..b", "src/app.ts"])
    assert.equal(readQualifiedName(query), null, query);
});

test("a long row of names that ends badly is refused in no time", () => {
  assert.equal(readQualifiedName(`${"a.".repeat(50_000)}!`), null);
});

test("a definition belongs to a qualifier by what it stands in, or by where its file is", () => {
  const text = "module Rack\n  class Response\n    def finish\n    end\n  end\nend\n";
  const { symbols } = extractSymbols(text, "ruby");
  const at = (path: string, line1: number) => ({ path, line1, symbols });
  assert.ok(isQualifiedBy("Rack", at("lib/a.rb", 2)));
  assert.ok(isQualifiedBy("Response", at("lib/a.rb", 3)));
  assert.ok(!isQualifiedBy("Request", at("lib/a.rb", 3)));
  assert.ok(isQualifiedBy("HttpUtil", at("src/http_util.rs", 1)));
  assert.ok(isQualifiedBy("http", at("src/http/client.rs", 1)));
  assert.ok(!isQualifiedBy("htt", at("src/http/client.rs", 1)));
});
