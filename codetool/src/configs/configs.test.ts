import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import {
  type Addition,
  ConfigError,
  jsonEntry,
  markedBlock,
  takerOf,
  tomlTable,
  wholeFile,
} from "./index.ts";

const server = { command: "/opt/codetool", args: ["mcp"] };
const entry = jsonEntry({ container: "mcpServers", name: "codetool", value: server });
const table = tomlTable({ path: ["mcp_servers", "codetool"], value: server });
const block = markedBlock("## codetool\n\nUse it.\n");

/** Adds, checks that nothing else changed, takes out again in both ways. */
function roundTrip(addition: Addition, text: string): string {
  const { text: after, added } = addition.add(text);
  assert.equal(addition.find(text), "none");
  assert.equal(addition.find(after), "same");
  const at = after.indexOf(added);
  assert.equal(after.slice(0, at) + after.slice(at + added.length), text);
  // A file of nothing but white space is one without content.
  assert.equal(takerOf(addition.kind).take(after, added), text.trim() === "" ? "" : text);
  return after;
}

test("an entry is put into JSON of any shape, and taken out to the byte", () => {
  const value = '{"command":"/opt/codetool","args":["mcp"]}';
  const rows: readonly (readonly [string, string])[] = [
    [
      "{}",
      `{\n  "mcpServers": {\n    "codetool": {\n      "command": "/opt/codetool",\n      "args": ["mcp"]\n    }\n  }\n}`,
    ],
    ['{"a":1}', `{"mcpServers":{"codetool":${value}},"a":1}`],
    ['{ "mcpServers": { "b": {} } }', `{ "mcpServers": { "codetool": ${value}, "b": {} } }`],
    ['{"mcpServers":{}}', `{"mcpServers":{"codetool":${value}}}`],
    [
      '{ // about all\n\t"mcpServers": {\n\t\t// about b\n\t\t"b": {}, // b\n\t},\n}',
      '{ // about all\n\t"mcpServers": {\n\t\t"codetool": {\n\t\t\t"command": "/opt/codetool",\n\t\t\t"args": ["mcp"]\n\t\t},\n\t\t// about b\n\t\t"b": {}, // b\n\t},\n}',
    ],
  ];
  for (const [text, wanted] of rows) assert.equal(roundTrip(entry, text), wanted);
  for (const text of [
    "",
    "\n",
    "{ }",
    "{\r\n}\r\n",
    '{\n  "mcpServers": {\n  }\n}',
    "{\n  // none\n}",
    '/* c */ {"a": [1,], }',
  ])
    roundTrip(entry, text);
});

test("any JSON with any layout is as it was after an entry came and went", () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue());
  const layout = fc.constantFrom("", " ", "\t", "  ", "    ");
  const shape = fc.tuple(fc.boolean(), fc.constantFrom("\n", "\r\n"));
  fc.assert(
    fc.property(json, layout, shape, (value, indent, [hasServers, eol]) => {
      delete value["mcpServers"];
      const all = hasServers
        ? { ...value, mcpServers: { "other \u00e9": { command: "x" } } }
        : value;
      const text = JSON.stringify(all, null, indent).replaceAll("\n", eol);
      const after = JSON.parse(roundTrip(entry, text)) as {
        mcpServers: { [name: string]: unknown };
      };
      assert.deepEqual(after.mcpServers["codetool"], server);
      delete after.mcpServers["codetool"];
      assert.deepEqual(
        after,
        JSON.parse(hasServers ? text : JSON.stringify({ ...all, mcpServers: {} })),
      );
    }),
  );
});

test("an entry is taken out of JSON that somebody has rewritten, and its neighbours stay", () => {
  const { added } = entry.add('{"a":1}');
  const rows: readonly (readonly [string, string])[] = [
    ['{"mcpServers": {"codetool": {"command": "x"}, "b": 1}}', '{"mcpServers": { "b": 1}}'],
    ['{"mcpServers": {"b": 1, "codetool": {}}}', '{"mcpServers": {"b": 1}}'],
    [
      '{"mcpServers": {"b": 1 /* b */, /* ours? */ "codetool": {}}}',
      '{"mcpServers": {"b": 1 /* b */ /* ours? */}}',
    ],
    [
      '{\n  "mcpServers": {\n    // c\n    "codetool": {}, "b": 1\n  }\n}',
      '{\n  "mcpServers": {\n    // c\n     "b": 1\n  }\n}',
    ],
    ['{\n  "a": 1,\n  "mcpServers": {\n    "codetool": {}\n  }\n}\n', '{\n  "a": 1\n}\n'],
  ];
  for (const [text, wanted] of rows) {
    assert.equal(entry.take(text, added), wanted);
    parseJsonc(wanted);
  }
  assert.equal(entry.take('{"mcpServers":{"b":1}}', added), undefined);
  assert.equal(entry.take('{"other": {}}', added), undefined);
  assert.equal(entry.take('{ "mcpServers": { "codetool": 1 } }', entry.add("").added), "");
});

test("a table is put at the end of TOML, and taken out with what belongs to it", () => {
  for (const text of [
    "",
    "a = 1",
    "# c\n\n[mcp_servers.b]\ncommand = 'b'\n",
    "[x]\r\ny = 1\r\n",
    "[mcp_servers]\n",
  ])
    assert.deepEqual(
      {
        ...(parseToml(roundTrip(table, text)) as { mcp_servers: { codetool: object } }).mcp_servers
          .codetool,
      },
      server,
    );
  const odd = tomlTable({
    path: ["mcp_servers", "codetool"],
    value: { command: 'C:\\a "b"\u007f', args: ['x","y'] },
  });
  roundTrip(odd, "a = 1\n");
  const { added } = table.add("");
  const rewritten =
    '[a]\nb = 1\n\n[mcp_servers."codetool"]\ncommand = "x"\n[mcp_servers.codetool.env]\nK = "v"\n\n[c]\n';
  assert.equal(table.take(rewritten, added), "[a]\nb = 1\n\n[c]\n");
  assert.equal(table.take("[mcp_servers.b]\n", added), undefined);
  assert.throws(() => table.take("mcp_servers = { codetool = {} }\n", added), ConfigError);
});

test("what cannot be parsed, or has no room, is refused with one line", () => {
  const rows: readonly (readonly [Addition, string, RegExp])[] = [
    [entry, '{\n"a": 1\n"b": 2}', /^line 3 is not JSON: comma expected$/],
    [entry, "{", /^line 1 is not JSON: close brace expected$/],
    [entry, "[]", /^an object was wanted at its top$/],
    [entry, "// c", /^there are only comments in it$/],
    [entry, '{"mcpServers": 1}', /^an object was wanted where the servers are listed$/],
    [entry, '{"mcpServers": {}, "mcpServers": {}}', /more than once/],
    [table, "a = \n", /^line 1 is not TOML: /],
    [table, "mcp_servers = 1\n", /^"mcp_servers" is not a table$/],
    [table, "mcp_servers = { b = {} }\n", /takes no further table$/],
    [block, "<!-- codetool: begin (written by `codetool init`) -->\n", /but not its end$/],
    [wholeFile("x"), "y", /other content/],
  ];
  for (const [addition, text, pattern] of rows)
    assert.throws(
      () => addition.add(text),
      (error) =>
        error instanceof ConfigError &&
        pattern.test(error.message) &&
        !error.message.includes("\n"),
      `${text} ${String(pattern)}`,
    );
});

test("a block and a whole file come and go, and what others changed stays theirs", () => {
  for (const text of ["", "# A", "# A\n", "a\r\nb\r\n"]) roundTrip(block, text);
  const { text, added } = block.add("# A\n");
  assert.equal(block.take(`${text}# B\n`, added), "# A\n# B\n");
  assert.equal(block.find(text.replace("Use it", "Use it well")), "other");
  assert.equal(block.take(text.replace("Use it", "Use it well"), added), "# A\n\n");
  const file = wholeFile("rules\n");
  roundTrip(file, "");
  assert.deepEqual([file.find("mine\n"), file.take("mine\n", "rules\n")], ["other", undefined]);
});
