import assert from "node:assert/strict";
import { test } from "node:test";
import { createTemporaryRepository } from "testkit";
import { runCodetool } from "../../cli/test-support/codetool.ts";
import type { DiffPayload } from "./payload.ts";

async function diff(args: readonly string[], workingDirectory: string): Promise<DiffPayload> {
  const { stdout, stderr } = await runCodetool(["diff", ...args], {
    workingDirectory,
    environment: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
  assert.equal(stderr, "");
  return (JSON.parse(stdout) as { readonly data: DiffPayload }).data;
}

interface Change {
  readonly path: string;
  readonly old: string;
  /** What is replaced, and by what. */
  readonly edit: readonly [string, string];
  readonly owners: readonly (string | undefined)[];
  readonly notes: readonly string[];
}

const compose = `services:
  web:
    image: harbour:1
    ports: [80]
  # What is kept.
  db:
    image: postgres
`;

const changes: readonly Change[] = [
  {
    path: "compose.yaml",
    old: compose,
    edit: ["harbour:1", "harbour:2"],
    owners: ["services/web/image"],
    notes: ["definition changed: `services/web/image`"],
  },
  {
    path: "added.yaml",
    old: compose,
    edit: ["  db:\n", "  cache:\n    image: redis\n  db:\n"],
    owners: ["services/cache"],
    notes: ["added module `services/cache`"],
  },
  {
    path: "README.md",
    old: "# Harbour\n\nText.\n\n## Use\n\nSteps.\n\n## Licence\n\nMIT\n",
    edit: ["Steps.", "More steps."],
    owners: ["Harbour/Use"],
    notes: ["body changed: `Harbour/Use`"],
  },
  {
    path: "package.json",
    old: '{\n  "name": "a",\n  "scripts": {\n    "test": "node --test",\n    "lint": "x"\n  }\n}\n',
    edit: ["node --test", "vitest"],
    owners: ["scripts/test"],
    notes: ["definition changed: `scripts/test`"],
  },
  {
    path: "Cargo.toml",
    old: '[package]\nname = "a"\n\n[dependencies]\nserde = "1"\nlibc = "0.2"\n',
    edit: ['libc = "0.2"\n', ""],
    owners: ["dependencies/libc"],
    notes: ["removed const `dependencies/libc`"],
  },
  {
    path: "style.css",
    old: ".a {\n  color: red;\n}\n\n.b {\n  color: blue;\n}\n",
    edit: ["blue", "green"],
    owners: [".b"],
    notes: ["body changed: `.b`"],
  },
  {
    path: "Makefile",
    old: "all: test\n\ttrue\n\ntest:\n\techo one\n",
    edit: ["echo one", "echo two"],
    owners: ["test"],
    notes: ["body changed: `test`"],
  },
];

for (const { path, old, edit, owners, notes } of changes) {
  test(`diff attributes a change of ${path} to the heading, key or target it is in`, async () => {
    using repository = createTemporaryRepository({ [path]: old });
    repository.write({ [path]: old.replace(...edit) });
    const data = await diff([], repository.path);
    assert.deepEqual(
      data.hunks?.map((hunk) => hunk.function),
      owners,
    );
    assert.deepEqual(
      data.semantic_notes,
      notes.map((note) => `${path}: ${note}`),
    );
  });
}

test("what only stands otherwise in YAML is no formatting: indentation means something", async () => {
  using repository = createTemporaryRepository({ "a.yaml": "a:\n  b:\n    c: 1\n" });
  repository.write({ "a.yaml": "a:\n  b:\n  c: 1\n" });
  const { semantic_notes: notes } = await diff([], repository.path);
  assert.doesNotMatch(notes.join("\n"), /formatting/);
  assert.notEqual(notes.length, 0);
});
