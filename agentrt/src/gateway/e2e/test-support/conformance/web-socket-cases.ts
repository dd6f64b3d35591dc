import { closing, fragments, opcode, part } from "./web-socket-frames.ts";
import {
  type Exchange,
  type WebSocketCase,
  replyTo,
  good,
  json,
  echo,
  broken,
} from "./web-socket-case.ts";
import { texts } from "./web-socket-text-cases.ts";

function framing(): WebSocketCase[] {
  const sizes = [0, 125, 126, 127, 128, 65_535, 65_536];
  return [opcode.text, opcode.binary].flatMap((code, kind) => [
    ...sizes.map((size, index) =>
      echo(`1.${kind + 1}.${index + 1}`, `message of ${size} bytes`, {
        send: [part(code, json(size))],
        messages: [json(size)],
      }),
    ),
    echo(`1.${kind + 1}.8`, "message of 65536 bytes in frames of 997", {
      send: [fragments(code, json(65_536), 997)],
      messages: [json(65_536)],
    }),
  ]);
}

function pings(): WebSocketCase[] {
  const answered = (
    id: string,
    title: string,
    payloads: readonly (Buffer | string)[],
  ): WebSocketCase => ({
    id,
    title,
    send: [...payloads.map((payload) => part(opcode.ping, payload)), good],
    replies: payloads.map((payload) => [opcode.pong, Buffer.from(payload).toString("latin1")]),
    closeCode: 1000,
  });
  const ten = Array.from({ length: 10 }, (_, index) => `payload-${index}`);
  const quiet = (id: string, title: string, send: readonly Buffer[]): WebSocketCase => ({
    id,
    title,
    send: [...send, good],
    replies: [],
    closeCode: 1000,
  });
  return [
    answered("2.1", "ping without payload", [""]),
    answered("2.2", "ping with text", ["Hello, world!"]),
    answered("2.3", "ping with bytes that are no text", [Buffer.from("00fffefdfcfb00ff", "hex")]),
    answered("2.4", "ping of 125 bytes", [Buffer.alloc(125, 0xfe)]),
    broken("2.5", "ping of 126 bytes", { send: [part(opcode.ping, Buffer.alloc(126, 0xfe))] }),
    {
      ...answered("2.6", "ping of 125 bytes, byte by byte", [Buffer.alloc(125, 0xfe)]),
      send: [...part(opcode.ping, Buffer.alloc(125, 0xfe)), ...good].map((byte) =>
        Buffer.from([byte]),
      ),
    },
    quiet("2.7", "pong nobody asked for, without payload", [part(opcode.pong)]),
    quiet("2.8", "pong nobody asked for, with payload", [part(opcode.pong, "unsolicited")]),
    {
      ...answered("2.9", "pong nobody asked for, then ping", ["ping"]),
      send: [part(opcode.pong, "unsolicited"), part(opcode.ping, "ping"), good],
    },
    answered("2.10", "ten pings", ten),
    {
      ...answered("2.11", "ten pings, byte by byte", ten),
      send: [...Buffer.concat(ten.map((payload) => part(opcode.ping, payload))), ...good].map(
        (byte) => Buffer.from([byte]),
      ),
    },
  ];
}

function reserved(): WebSocketCase[] {
  const hello = part(opcode.text, '"hello"');
  const reply = replyTo('"hello"');
  const withBits = (bits: number, frame: Buffer): Buffer => {
    const changed = Buffer.from(frame);
    changed[0] = (changed[0] ?? 0) | (bits << 4);
    return changed;
  };
  const bits = [
    broken("3.1", "reserved bits 1", { send: [withBits(1, hello)] }),
    broken("3.2", "message, then reserved bits 2, then ping", {
      send: [hello, withBits(2, hello), part(opcode.ping)],
      replies: [reply],
    }),
    broken("3.3", "the same with bits 3, in one piece", {
      send: [Buffer.concat([hello, withBits(3, hello), part(opcode.ping)])],
      replies: [reply],
    }),
    broken("3.4", "the same with bits 4, byte by byte", {
      send: Array.from(Buffer.concat([hello, withBits(4, hello)]), (byte) => Buffer.from([byte])),
      replies: [reply],
    }),
    broken("3.5", "reserved bits 5 in a binary message", {
      send: [withBits(5, part(opcode.binary, "7"))],
    }),
    broken("3.6", "reserved bits 6 in a ping", { send: [withBits(6, part(opcode.ping))] }),
    broken("3.7", "reserved bits 7 in a close", { send: [withBits(7, good)] }),
  ];
  const opcodes = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((code, index) => {
    const id = `4.${code < 8 ? 1 : 2}.${(index % 5) + 1}`;
    const strange = part(code, index % 2 === 0 ? "" : "payload");
    return index % 5 < 2
      ? [broken(id, `opcode ${code}`, { send: [strange] })]
      : [
          broken(id, `message, then opcode ${code}, then ping`, {
            send: [hello, strange, part(opcode.ping)],
            replies: [reply],
          }),
        ];
  });
  return [...bits, ...opcodes];
}

function fragmentation(): WebSocketCase[] {
  const whole = Buffer.from('"fragment1fragment2"');
  const first = part(opcode.text, whole.subarray(0, 10), false);
  const last = part(opcode.more, whole.subarray(10));
  const ping = part(opcode.ping, "ping");
  const pong = [opcode.pong, "ping"] as const;
  const bytes = (...frames: readonly Buffer[]): Buffer[] =>
    Array.from(Buffer.concat(frames), (byte) => Buffer.from([byte]));
  const reply = replyTo(whole);
  const withPing = (id: string, title: string, send: readonly Buffer[]): WebSocketCase => ({
    id,
    title,
    send,
    replies: [pong, reply],
    closeCode: 1000,
  });
  const nothing = (isLast: boolean): Buffer => part(opcode.more, "nothing to go on with", isLast);
  const hello = part(opcode.text, '"hello"');
  const fiveFrames = [
    part(opcode.text, '"a', false),
    part(opcode.more, "b", false),
    ping,
    part(opcode.more, "c", false),
    part(opcode.more, "d", false),
    ping,
    part(opcode.more, 'e"'),
  ];
  return [
    broken("5.1", "ping in two frames", {
      send: [part(opcode.ping, "a", false), part(opcode.more, "b")],
    }),
    broken("5.2", "pong in two frames", {
      send: [part(opcode.pong, "a", false), part(opcode.more, "b")],
    }),
    echo("5.3", "text in two frames", { send: [first, last], messages: [whole] }),
    echo("5.4", "text in two frames, in one piece", {
      send: [Buffer.concat([first, last])],
      messages: [whole],
    }),
    {
      ...echo("5.5", "text in two frames, byte by byte", { send: [], messages: [whole] }),
      send: bytes(first, last, good),
    },
    withPing("5.6", "ping between two frames", [first, ping, last, good]),
    withPing("5.7", "ping between two frames, in one piece", [
      Buffer.concat([first, ping, last]),
      good,
    ]),
    withPing("5.8", "ping between two frames, byte by byte", bytes(first, ping, last, good)),
    broken("5.9", "continuation of nothing, last", { send: [nothing(true), hello] }),
    broken("5.10", "the same in one piece", { send: [Buffer.concat([nothing(true), hello])] }),
    broken("5.11", "the same byte by byte", { send: bytes(nothing(true)) }),
    broken("5.12", "continuation of nothing, not last", { send: [nothing(false), hello] }),
    broken("5.13", "the same in one piece", { send: [Buffer.concat([nothing(false), hello])] }),
    broken("5.14", "the same byte by byte", { send: bytes(nothing(false)) }),
    broken("5.15", "message in two frames, continuation of nothing, message", {
      send: [first, last, nothing(false), hello],
      replies: [reply],
    }),
    broken("5.16", "continuation of nothing (not last), message in two frames", {
      send: [nothing(false), first, last],
    }),
    broken("5.17", "continuation of nothing (last), message in two frames", {
      send: [nothing(true), first, last],
    }),
    broken("5.18", "a new message inside of one", { send: [first, hello] }),
    {
      id: "5.19",
      title: "five frames with pings between, slowly",
      send: [...fiveFrames, good],
      replies: [pong, pong, replyTo('"abcde"')],
      closeCode: 1000,
    },
    {
      id: "5.20",
      title: "the same at once",
      send: [Buffer.concat(fiveFrames), good],
      replies: [pong, pong, replyTo('"abcde"')],
      closeCode: 1000,
    },
  ];
}

/** Hexadecimal bytes inside of a JSON string. */

function closes(): WebSocketCase[] {
  const hello = part(opcode.text, '"hello"');
  const once = (
    id: string,
    title: string,
    { send, closeCode = 1000 }: Pick<Exchange, "send" | "closeCode">,
  ): WebSocketCase => ({ id, title, send, replies: [], closeCode, mayFailEarly: true });
  const valid = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
  const invalid = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999];
  return [
    echo("7.1.1", "message, then close", { send: [hello], messages: [Buffer.from('"hello"')] }),
    once("7.1.2", "close twice", { send: [good, good] }),
    once("7.1.3", "close, then ping", { send: [good, part(opcode.ping)] }),
    once("7.1.4", "close, then message", { send: [good, hello] }),
    once("7.1.5", "close inside of a message", {
      send: [part(opcode.text, '"a', false), good, part(opcode.more, 'b"')],
    }),
    echo("7.1.6", "256 KiB, close, ping", {
      send: [part(opcode.text, json(262_144))],
      messages: [json(262_144)],
    }),
    once("7.3.1", "close without a code", { send: [closing()], closeCode: 1005 }),
    once("7.3.2", "close with one byte", { send: [part(opcode.close, "a")], closeCode: 1002 }),
    once("7.3.3", "close with a code", { send: [good] }),
    once("7.3.4", "close with code and reason", { send: [closing(1000, "Hello World!")] }),
    once("7.3.5", "close with the longest reason", { send: [closing(1000, "*".repeat(123))] }),
    once("7.3.6", "close with a reason that is too long", {
      send: [closing(1000, "*".repeat(124))],
      closeCode: 1002,
    }),
    once("7.5.1", "close with a reason that is no UTF-8", {
      send: [closing(1000, Buffer.from("cebae1bdb9cf83cebcceb5eda080656469746564", "hex"))],
      closeCode: 1007,
    }),
    ...valid.map((code, index) =>
      once(`7.7.${index + 1}`, `close with code ${code}`, {
        send: [closing(code)],
        closeCode: code,
      }),
    ),
    ...invalid.map((code, index) =>
      once(`7.9.${index + 1}`, `close with code ${code}`, {
        send: [closing(code)],
        closeCode: 1002,
      }),
    ),
    once("7.13.1", "close with code 5000", { send: [closing(5000)], closeCode: 1002 }),
    once("7.13.2", "close with code 65535", { send: [closing(65_535)], closeCode: 1002 }),
  ];
}

function masses(): WebSocketCase[] {
  const kibi = 1024;
  const sizes = [64, 256, 1_024, 4_096, 8_192, 16_384].map((size) => size * kibi);
  const big = json(4_096 * kibi);
  const pieces = [
    64,
    256,
    kibi,
    4 * kibi,
    16 * kibi,
    64 * kibi,
    256 * kibi,
    1_024 * kibi,
    4_096 * kibi,
  ];
  const many = [0, 16, 64, 256, kibi, 4 * kibi];
  return [opcode.text, opcode.binary].flatMap((code, kind) => [
    ...sizes.map((size, index) =>
      echo(`9.${kind + 1}.${index + 1}`, `message of ${size / kibi} KiB`, {
        send: [part(code, json(size))],
        messages: [json(size)],
      }),
    ),
    ...pieces.map((size, index) =>
      echo(`9.${kind + 3}.${index + 1}`, `4 MiB in frames of ${size} bytes`, {
        send: [fragments(code, big, size)],
        messages: [big],
      }),
    ),
    ...many.map((size, index) =>
      echo(`9.${kind + 7}.${index + 1}`, `1000 messages of ${size} bytes`, {
        send: [Buffer.concat(Array<Buffer>(1_000).fill(part(code, json(size))))],
        messages: Array<Buffer>(1_000).fill(json(size)),
      }),
    ),
  ]);
}

/** Every case, by its number in the suite. Sections 12 and 13 (compression) are not offered. */
export const webSocketCases: readonly WebSocketCase[] = [
  ...framing(),
  ...pings(),
  ...reserved(),
  ...fragmentation(),
  ...texts(),
  ...closes(),
  ...masses(),
  echo("10.1.1", "65536 bytes in frames of 1300", {
    send: [fragments(opcode.text, json(65_536), 1_300)],
    messages: [json(65_536)],
  }),
];
