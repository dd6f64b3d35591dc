import assert from "node:assert/strict";
import { test } from "node:test";
import {
  array,
  assert as assertLaw,
  constantFrom,
  dictionary,
  maxSafeNat,
  oneof,
  property,
  stringMatching,
  uint8Array,
} from "fast-check";
import { repetitions } from "testkit";
import { Http3Fault } from "./fault.ts";
import { frameTypes } from "./framing/frame-reader.ts";
import { decodeHuffman } from "./qpack/huffman.ts";
import { PeerStreams } from "./framing/peer-streams.ts";
import { decodeFieldSection } from "./qpack/decode-field-section.ts";
import { encodeFieldSection } from "./qpack/encode-field-section.ts";
import type { RequestHead } from "./framing/request-head.ts";
import { RequestReader } from "./framing/request-reader.ts";
import { encodeHuffman } from "./test-support/encode-huffman.ts";
import { frame, headersFrame, plainGet } from "./test-support/request-bytes.ts";
import { pushVarint, varintAt, varintSizeBytes } from "./framing/varint.ts";

const limits = { sizeBytesMax: 16_384, countMax: 100 };
const hex = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text.replaceAll(" ", ""), "hex"));

test("a variable-length integer is read as it was written, in the fewest bytes", () => {
  const examples: [string, number][] = [
    ["c2197c5eff14e88c", Number(151_288_809_941_952_652n)],
    ["9d7f3e7d", 494_878_333],
    ["7bbd", 15_293],
    ["25", 37],
    ["4025", 37],
  ];
  for (const [bytes, value] of examples) assert.equal(varintAt(hex(bytes), 0), value);
  assertLaw(
    property(maxSafeNat(), (value) => {
      const out: number[] = [];
      pushVarint(out, value);
      assert.equal(varintSizeBytes(out[0]!), out.length);
      assert.equal(varintAt(Uint8Array.from(out), 0), value);
    }),
  );
});

test("Huffman: the examples of RFC 7541 are decoded, and every string comes back", () => {
  const check = (coded: string, text: string): void =>
    assert.equal(decodeHuffman(hex(coded), 0, coded.length / 2), text);
  check("f1e3c2e5f23a6ba0ab90f4ff", "www.example.com");
  check("a8eb10649cbf", "no-cache");
  check("9d29ad171863c78f0b97c8e9ae82ae43d3", "https://www.example.com");
  assertLaw(
    property(uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      const coded = encodeHuffman(text);
      assert.equal(decodeHuffman(coded, 0, coded.byteLength), text);
    }),
  );
});

test("Huffman: padding of more than seven bits, of zeros, and the end symbol are refused", () => {
  for (const coded of ["ff", "a8eb10649cbfff", "a8eb10649cbe", "fffffffc", "ffffffff"]) {
    assert.equal(decodeHuffman(hex(coded), 0, coded.length / 2), undefined, coded);
  }
});

test("QPACK: the example of RFC 9204 without dynamic table, and Huffman-coded literals", () => {
  assert.deepEqual(decodeFieldSection(hex("0000 510b 2f69 6e64 6578 2e68 746d 6c"), limits), {
    lines: [[":path", "/index.html"]],
  });
  const name = encodeHuffman("x-it");
  const value = encodeHuffman("green");
  const section = [0, 0, 0x28 | name.length, ...name, 0x80 | value.length, ...value];
  assert.ok(name.length < 7);
  assert.deepEqual(decodeFieldSection(Uint8Array.from(section), limits), {
    lines: [["x-it", "green"]],
  });
});

test("QPACK: what was encoded is decoded, whatever the names and values", () => {
  const latin1 = uint8Array({ maxLength: 300 }).map((bytes) =>
    Buffer.from(bytes).toString("latin1"),
  );
  const name = oneof(
    constantFrom(":status", "content-type", "content-length", "vary", "x-frame-options"),
    stringMatching(/^[a-z][a-z-]{0,300}$/),
  );
  assertLaw(
    property(dictionary(name, oneof(latin1, constantFrom("200", "deny", ""))), (map) => {
      const decoded = decodeFieldSection(encodeFieldSection(map), {
        sizeBytesMax: 1e9,
        countMax: 1e9,
      });
      assert.deepEqual(decoded, { lines: Object.entries(map) });
    }),
  );
});

test("QPACK: a dynamic table, an unknown index and an early end are QPACK_DECOMPRESSION_FAILED", () => {
  const broken = [
    "",
    "00",
    "0100",
    "000080",
    "000010",
    "000000",
    "0000ff7f",
    "0000510b2f",
    "0000f7ff",
    "00005f",
  ];
  for (const bytes of [...broken, "0000ffffffffffffffffffff01", "000051ff"]) {
    assert.throws(
      () => decodeFieldSection(hex(bytes), limits),
      (error) => error instanceof Http3Fault && error.code === "QPACK_DECOMPRESSION_FAILED",
      bytes,
    );
  }
});

test("QPACK: a section with too many lines or too many bytes is not kept", () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, ""]));
  assert.deepEqual(decodeFieldSection(encodeFieldSection(many), limits), { excess: "count" });
  assert.deepEqual(
    decodeFieldSection(encodeFieldSection({ ...plainGet, ...many }), { ...limits, countMax: 101 }),
    { lines: [...Object.entries(plainGet), ...Object.entries(many)] },
  );
  const long = encodeFieldSection({ "x-long": "a".repeat(16_384) });
  assert.deepEqual(decodeFieldSection(long, limits), { excess: "size" });
});

/** Reads a request in one piece or byte by byte; a string is the code of the fault. */
function readRequest(
  bytes: Uint8Array,
  isEnded = true,
):
  | { head: RequestHead | { excess: string } | undefined; body: string; wasteCount: number }
  | string {
  const outcomes = [bytes.byteLength, 1].map((stepBytes) => {
    const found = { head: undefined as RequestHead | undefined, body: "", wasteCount: 0 };
    const reader = new RequestReader(
      {
        onHead: (head) => (found.head = head as RequestHead),
        onBody: (piece) => (found.body += Buffer.from(piece).toString("latin1")),
        onWaste: () => (found.wasteCount += 1),
      },
      limits,
    );
    try {
      for (let at = 0; at < bytes.byteLength; at += stepBytes) {
        reader.push(bytes.subarray(at, at + stepBytes));
      }
      if (isEnded) reader.end();
      return found;
    } catch (error) {
      assert.ok(error instanceof Http3Fault, String(error));
      return `${error.code} ${error.scope}`;
    }
  });
  assert.deepEqual(outcomes[1], outcomes[0], "however the bytes are cut");
  return outcomes[0]!;
}

const concat = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts);
const data = (text: string): Uint8Array => frame(frameTypes.DATA, Buffer.from(text));

test("a request is its head, its body in frames of any size, and trailers that are dropped", () => {
  const post = { ...plainGet, ":method": "POST", "content-length": "5", cookie: "a=1" };
  const bytes = concat(
    frame(0x21, hex("abcd")), // A reserved type, to be ignored.
    headersFrame(post),
    data("hel"),
    frame(0x1f * 7 + 0x21, new Uint8Array(0)),
    data("lo"),
    headersFrame({ "x-checksum": "1" }),
  );
  const read = readRequest(bytes);
  assert.ok(typeof read === "object" && read.head !== undefined && "method" in read.head);
  const { headers, ...rest } = read.head;
  assert.deepEqual({ ...headers }, { "content-length": "5", cookie: "a=1", host: "localhost" });
  const head = { method: "POST", target: "/", isAuthorityUnclear: false, contentLength: 5 };
  assert.deepEqual(rest, head);
  assert.equal(read.body, "hello");
  assert.equal(read.wasteCount, 2);
});

test("frames in a wrong place lose the connection, malformed requests their stream", () => {
  const head = headersFrame(plainGet);
  const check = (bytes: Uint8Array, expected: string): void =>
    assert.equal(readRequest(bytes), expected, Buffer.from(bytes).toString("hex"));
  check(data("x"), "FRAME_UNEXPECTED connection");
  check(concat(head, frame(frameTypes.SETTINGS, hex(""))), "FRAME_UNEXPECTED connection");
  check(concat(head, frame(frameTypes.PUSH_PROMISE, hex("00"))), "FRAME_UNEXPECTED connection");
  check(concat(head, frame(0x02, hex("00"))), "FRAME_UNEXPECTED connection");
  const trailer = headersFrame({ "x-a": "1" });
  check(concat(head, trailer, data("x")), "FRAME_UNEXPECTED connection");
  check(concat(head, trailer, trailer), "FRAME_UNEXPECTED connection");
  check(head.subarray(0, -1), "FRAME_ERROR connection");
  check(concat(head, hex("0005 61")), "FRAME_ERROR connection");
  check(hex(""), "REQUEST_INCOMPLETE stream");
  check(concat(head, headersFrame({ ":path": "/" })), "MESSAGE_ERROR stream");
  const sized = headersFrame({ ...plainGet, "content-length": "2" });
  check(concat(sized, data("x")), "MESSAGE_ERROR stream");
  check(concat(sized, data("xyz")), "MESSAGE_ERROR stream");
});

test("a head that RFC 9114 calls malformed is refused", () => {
  const { ":path": _path, ...noPath } = plainGet;
  const { ":method": _method, ...noMethod } = plainGet;
  const { ":scheme": _scheme, ...noScheme } = plainGet;
  const heads: { readonly [name: string]: string }[] = [
    noPath,
    noMethod,
    noScheme,
    { ...plainGet, ":path": "" },
    { ...plainGet, ":status": "200" },
    { ...plainGet, ":protocol": "websocket" },
    { ...plainGet, ":method": "CONNECT" },
    { "x-first": "1", ...plainGet },
    { ...plainGet, "X-Upper": "1" },
    { ...plainGet, "": "1" },
    { ...plainGet, "a b": "1" },
    { ...plainGet, connection: "close" },
    { ...plainGet, "transfer-encoding": "chunked" },
    { ...plainGet, te: "gzip" },
    { ...plainGet, "x-a": "1\r\nx-b: 2" },
    { ...plainGet, "x-a": "\0" },
    { ...plainGet, "x-a": " 1" },
    { ...plainGet, ":path": "/\n" },
    { ...plainGet, "content-length": "-1" },
    { ...plainGet, "content-length": "1e3" },
  ];
  for (const head of heads) {
    assert.equal(readRequest(headersFrame(head)), "MESSAGE_ERROR stream", JSON.stringify(head));
  }
});

test("headers that come twice: joined, first kept, or refused", () => {
  const section = (lines: [string, string][]): Uint8Array => {
    const parts = lines.map((line) => encodeFieldSection(Object.fromEntries([line])).subarray(2));
    return frame(frameTypes.HEADERS, concat(hex("0000"), ...parts));
  };
  const base = Object.entries(plainGet);
  const headersOf = (lines: [string, string][]): unknown => {
    const read = readRequest(section([...base, ...lines] as [string, string][]));
    return typeof read === "object" && "headers" in read.head! ? { ...read.head.headers } : read;
  };
  const host = "localhost";
  assert.deepEqual(
    headersOf([
      ["accept", "a"],
      ["accept", "b"],
      ["cookie", "c=1"],
      ["cookie", "d=2"],
      ["authorization", "first"],
      ["authorization", "second"],
      ["__proto__", "own"],
    ]),
    {
      accept: "a, b",
      cookie: "c=1; d=2",
      authorization: "first, second",
      ["__proto__"]: "own",
      host,
    },
  );
  assert.equal(
    headersOf([
      ["content-length", "0"],
      ["content-length", "1"],
    ]),
    "MESSAGE_ERROR stream",
  );
  assert.equal(headersOf([[":path", "/again"]]), "MESSAGE_ERROR stream");
});

test("headers above the limits are reported before they are decoded, and what follows is not kept", () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, ""]));
  const refused = readRequest(concat(headersFrame({ ...plainGet, ...many }), data("body")));
  assert.deepEqual(refused, { head: { excess: "count" }, body: "", wasteCount: 0 });
  // Of the long frame nothing but its head has come.
  const announced = readRequest(hex("01 80100000"), false);
  assert.deepEqual(announced, { head: { excess: "size" }, body: "", wasteCount: 0 });
});

test("whatever comes on a stream, nothing but a fault of the protocol is thrown", () => {
  const pieces = oneof(
    uint8Array({ maxLength: 60 }),
    constantFrom(headersFrame(plainGet), data("x"), hex("0003"), hex("01"), hex("0104")),
  );
  assertLaw(
    property(array(pieces, { maxLength: 8 }), (parts) => void readRequest(concat(...parts))),
    { numRuns: repetitions(1_000) },
  );
  assertLaw(
    property(uint8Array({ maxLength: 80 }), (bytes) => {
      try {
        decodeFieldSection(concat(hex("0000"), bytes), limits);
      } catch (error) {
        assert.ok(error instanceof Http3Fault);
      }
    }),
    { numRuns: repetitions(1_000) },
  );
});

/** Opens streams of a client, each with its bytes; gives the code of the fault, or how much was wasted. */
function readStreams(...streams: { bytes: Uint8Array; isEnded?: boolean }[]): string | number {
  const outcomes = [false, true].map((isByteByByte) => {
    let wasteCount = 0;
    const peer = new PeerStreams(() => (wasteCount += 1));
    try {
      for (const { bytes, isEnded } of streams) {
        const stream = peer.open();
        if (isByteByByte) for (const byte of bytes) stream.push(Uint8Array.of(byte));
        else stream.push(bytes);
        if (isEnded === true) stream.end();
      }
      return wasteCount;
    } catch (error) {
      assert.ok(error instanceof Http3Fault && error.scope === "connection", String(error));
      return error.code;
    }
  });
  assert.equal(outcomes[1], outcomes[0], "however the bytes are cut");
  return outcomes[0]!;
}

test("control and QPACK streams: what a client may send there, and what ends the connection", () => {
  const check = (streams: string[], expected: string | number): void =>
    assert.equal(readStreams(...streams.map((bytes) => ({ bytes: hex(bytes) }))), expected);
  check(["00 0400", "02", "03"], 0);
  check(["00 0404 06 4400 3301 0d0105", "02 20", "03 40 7f8001 41"].slice(1), 0);
  check(["00 0405 0644000701 0d0105 070100"], 2);
  check(["00 0400 800f0700 0100"], 0);
  check(["00 0400 0400"], "FRAME_UNEXPECTED");
  check(["00 0000"], "MISSING_SETTINGS");
  check(["00 0400 0000"], "FRAME_UNEXPECTED");
  check(["00 0400 0100"], "FRAME_UNEXPECTED");
  check(["00 0400 0200"], "FRAME_UNEXPECTED");
  check(["00 0402 0201"], "SETTINGS_ERROR");
  check(["00 0404 0601 0601"], "SETTINGS_ERROR");
  check(["00 0401 06"], "FRAME_ERROR");
  check(["00 04 80100000"], "EXCESSIVE_LOAD");
  check(["00", "00"], "STREAM_CREATION_ERROR");
  check(["02", "02"], "STREAM_CREATION_ERROR");
  check(["01"], "STREAM_CREATION_ERROR");
  check(["02 3f"], "QPACK_ENCODER_STREAM_ERROR");
  check(["03 80"], "QPACK_DECODER_STREAM_ERROR");
  check(["21 ffff"], 1);
  assert.equal(readStreams({ bytes: hex("00 0400"), isEnded: true }), "CLOSED_CRITICAL_STREAM");
  assert.equal(readStreams({ bytes: hex("21 00"), isEnded: true }), 1);
});

test("whatever comes on a stream of the client's own, nothing but a fault of the protocol is thrown", () => {
  assertLaw(
    property(array(uint8Array({ maxLength: 40 }), { maxLength: 4 }), (streams) => {
      readStreams(...streams.map((bytes) => ({ bytes })));
    }),
    { numRuns: repetitions(1_000) },
  );
});
