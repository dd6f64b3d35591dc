import { fragments, opcode, part } from "./web-socket-frames.ts";
import { type WebSocketCase, echo, broken } from "./web-socket-case.ts";

const quoted = (hex: string): Buffer =>
  Buffer.concat([Buffer.from('"'), Buffer.from(hex.replaceAll(" ", ""), "hex"), Buffer.from('"')]);

/** The groups of section 6: bytes of a message, and whether they are UTF-8. */
const utf8: readonly (readonly [
  id: string,
  title: string,
  isValid: boolean,
  rows: readonly string[],
])[] = [
  ["6.3", "invalid bytes behind valid ones", false, ["cebae1bdb9cf83cebcceb5eda080656469746564"]],
  [
    "6.5",
    "valid text",
    true,
    ["cebae1bdb9cf83cebcceb5", "48656c6c6f2dc2b540c39fc3b6c3a4c3bcc3a0c3a1"],
  ],
  [
    "6.6",
    "prefixes of a sequence: only whole ones are valid",
    false,
    ["ce", "cebae1", "cebae1bd", "cebae1bdb9cf", "cebae1bdb9cf83ce", "cebae1bdb9cf83cebcce"],
  ],
  ["6.7", "first sequence of each length", true, ["c280", "e0a080", "f0908080"]],
  ["6.8", "first sequence of a length that is too long", false, ["f888808080", "fc8480808080"]],
  ["6.9", "last sequence of each length", true, ["7f", "dfbf", "efbfbf", "f48fbfbf"]],
  [
    "6.10",
    "last sequence of a length that is too long",
    false,
    ["f7bfbfbf", "fbbfbfbfbf", "fdbfbfbfbfbf"],
  ],
  ["6.11", "boundaries", true, ["ed9fbf", "ee8080", "efbfbd", "f48fbfbf"]],
  ["6.11.5", "beyond the last character", false, ["f4908080"]],
  [
    "6.12",
    "continuation bytes alone",
    false,
    ["80", "bf", "80bf", "80bf80", "80bf80bf", "80bf80bf80", "80bf80bf80bf"],
  ],
  [
    "6.13",
    "first bytes alone",
    false,
    ["c020c120", "e020e120e220", "f020f120f220", "f820f920", "fc20"],
  ],
  [
    "6.14",
    "sequences without their last byte",
    false,
    [
      "c0",
      "e080",
      "f08080",
      "f8808080",
      "fc80808080",
      "df",
      "efbf",
      "f7bfbf",
      "fbbfbfbf",
      "fdbfbfbfbf",
    ],
  ],
  [
    "6.15",
    "unfinished sequences one behind the other",
    false,
    ["c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf"],
  ],
  ["6.16", "bytes that never occur", false, ["fe", "ff", "fefeffff"]],
  [
    "6.17",
    "overlong: a slash in more bytes",
    false,
    ["c0af", "e080af", "f08080af", "f8808080af", "fc80808080af"],
  ],
  [
    "6.18",
    "overlong: the largest",
    false,
    ["c1bf", "e09fbf", "f08fbfbf", "f887bfbfbf", "fc83bfbfbfbf"],
  ],
  ["6.19", "overlong: NUL", false, ["c080", "e08080", "f0808080", "f880808080", "fc8080808080"]],
  [
    "6.20",
    "single surrogates",
    false,
    ["eda080", "edadbf", "edae80", "edafbf", "edb080", "edbe80", "edbfbf"],
  ],
  [
    "6.21",
    "pairs of surrogates",
    false,
    [
      "eda080edb080",
      "eda080edbfbf",
      "edadbfedb080",
      "edadbfedbfbf",
      "edae80edb080",
      "edae80edbfbf",
      "edafbfedb080",
      "edafbfedbfbf",
    ],
  ],
  [
    "6.22",
    "characters that are none",
    true,
    ["efbfbe", "efbfbf", "f09fbfbe", "f09fbfbf", "f0afbfbe", "f0afbfbf", "f48fbfbe", "f48fbfbf"],
  ],
  [
    "6.23",
    "specials",
    true,
    ["efbfb9", "efbfba", "efbfbb", "efbfbc", "efbfbd", "efbfbe", "efbfbf"],
  ],
];

/** Texts in UTF-8, whole and broken. */
export function texts(): WebSocketCase[] {
  const greek = Buffer.from('"Hello-µ@ßöäüàá-UTF-8!!"');
  const rows = utf8.flatMap(([id, title, isValid, all]) =>
    all.map((hex, index): WebSocketCase => {
      const name = `${id}.${index + 1}`;
      const payload = quoted(hex);
      return isValid
        ? echo(name, title, { send: [part(opcode.text, payload)], messages: [payload] })
        : broken(name, title, { send: [part(opcode.text, payload)], closeCode: 1007 });
    }),
  );
  const bad = quoted("cebae1bdb9cf83cebcceb5f4908080656469746564");
  return [
    echo("6.1.1", "text of no bytes", { send: [part(opcode.text)], messages: [Buffer.alloc(0)] }),
    echo("6.1.2", "text of no bytes in three frames", {
      send: [part(opcode.text, "", false), part(opcode.more, "", false), part(opcode.more)],
      messages: [Buffer.alloc(0)],
    }),
    echo("6.1.3", "text in three frames, two of them empty", {
      send: [part(opcode.text, "", false), part(opcode.more, "7", false), part(opcode.more)],
      messages: [Buffer.from("7")],
    }),
    echo("6.2.1", "valid text", { send: [part(opcode.text, greek)], messages: [greek] }),
    echo("6.2.2", "valid text, cut between characters", {
      send: [fragments(opcode.text, greek, 12)],
      messages: [greek],
    }),
    echo("6.2.3", "valid text, byte by byte", {
      send: [fragments(opcode.text, greek, 1)],
      messages: [greek],
    }),
    echo("6.2.4", "valid text of several bytes a character, byte by byte", {
      send: [fragments(opcode.text, quoted("cebae1bdb9cf83cebcceb5"), 1)],
      messages: [quoted("cebae1bdb9cf83cebcceb5")],
    }),
    broken("6.4.1", "invalid text in three frames", {
      send: [
        part(opcode.text, bad.subarray(0, 13), false),
        part(opcode.more, bad.subarray(13, 16), false),
        part(opcode.more, bad.subarray(16)),
      ],
      closeCode: 1007,
    }),
    broken("6.4.2", "the same, cut inside of the bad sequence", {
      send: [part(opcode.text, bad.subarray(0, 14), false), part(opcode.more, bad.subarray(14))],
      closeCode: 1007,
    }),
    broken("6.4.3", "invalid text in one frame, in pieces", {
      send: [part(opcode.text, bad).subarray(0, 18), part(opcode.text, bad).subarray(18)],
      closeCode: 1007,
    }),
    broken("6.4.4", "the same, byte by byte", {
      send: [...part(opcode.text, bad)].map((byte) => Buffer.from([byte])),
      closeCode: 1007,
    }),
    ...rows,
  ];
}
