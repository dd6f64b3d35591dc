import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddressRanges } from "./address-ranges.ts";

test("a range holds its own addresses up to both edges, however they are written", () => {
  const { ranges, faulty, endless } = readAddressRanges([
    "10.1.2.0/23",
    "192.0.2.7",
    "2001:db8:1::/48",
    "::1/128",
  ]);
  assert.deepEqual([faulty, endless], [[], []]);
  for (const address of [
    "10.1.2.0",
    "10.1.3.255",
    "::ffff:10.1.2.3",
    "::FFFF:a01:0203",
    "192.0.2.7",
    "2001:db8:1::",
    "2001:db8:1:ffff:ffff:ffff:ffff:ffff",
    "2001:0DB8:0001:0::1%eth0",
    "::1",
  ]) {
    assert.equal(ranges.has(address), true, address);
  }
  for (const address of [
    "10.1.1.255",
    "10.1.4.0",
    "::ffff:10.1.4.0",
    "192.0.2.6",
    "192.0.2.8",
    "2001:db8:2::",
    "2001:db8::ffff",
    "::2",
    "::10.1.2.3", // Not IPv4 in IPv6, but looks like it.
    "64:ff9b::10.1.2.3",
    "10.1.2.3, 10.1.2.4",
    "10.1.2",
    "0x0a010203",
    "",
  ]) {
    assert.equal(ranges.has(address), false, address);
  }
});

test("readAddressRanges() says what is no range, and which hold everybody", () => {
  const faulty = ["10.0.0.0/33", "10.0.0/8", "::/129", "localhost", "10.0.0.0/", "1.2.3.4/8/8", ""];
  assert.deepEqual(readAddressRanges(faulty).faulty, faulty);
  assert.deepEqual(readAddressRanges(["0.0.0.0/0", "10.0.0.0/8", "::/0"]).endless, [
    "0.0.0.0/0",
    "::/0",
  ]);
});
