/**
 * `npm run test:clean-root`: codetool's executable in a Debian root with nothing else in it: no Node, no npm, no git, no
 * network, as several users, with folders that cannot be written to or run from.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { createTemporaryFolder } from "testkit";
import { makeCleanRoot, runInside, type Scene, users } from "./clean-root/clean-root.ts";

const missing = makeCleanRoot();
if (missing !== undefined) {
  process.stderr.write(`clean-root: not run: ${missing}\n`);
  process.exit(2);
}

const files = {
  "src/retry.ts": "/** Tries again. */\nexport function scheduleRetry() {\n  return 1;\n}\n",
  "src/queue.py": "class Queue:\n    def enter(self):\n        return 2\n",
  "src/main.zig": "pub fn start() void {}\n",
  "README.md": "# Retries\n",
};

interface Envelope {
  readonly command: string;
  readonly status: string;
  readonly fallback?: boolean;
  readonly warnings?: readonly string[];
  readonly data: { readonly [name: string]: unknown };
}

/** Runs a script whose commands print an envelope each. */
async function ask(scene: Omit<Scene, "tree">, script: string): Promise<Envelope[]> {
  using folder = createTemporaryFolder(files);
  const { code, stdout, stderr } = await runInside({ ...scene, tree: folder.path }, script);
  assert.equal(code, 0, stdout + stderr);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Envelope);
}

const request = (id: number, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const mcpLines = [
  request(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "scene", version: "1" },
  }),
  JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  request(2, "tools/call", { name: "outline", arguments: { file: "src/queue.py" } }),
].join("\n");

/** The work of a day: a line of output each. */
const everyday = `
codetool search "schedule retry"
codetool outline src/retry.ts
codetool outline src/queue.py
codetool outline src/main.zig
codetool edit src/retry.ts --find "return 1" --replace "return 3" --apply
codetool index
codetool search Queue --mode bm25
codetool serve --detach
codetool search scheduleRetry
codetool serve --status
codetool serve --stop
cat > /srv/tree/.codetool/mcp.jsonl <<'END'
${mcpLines}
END
codetool mcp < /srv/tree/.codetool/mcp.jsonl | grep '"id":2'
grep -q "return 3" src/retry.ts
`;

const places = {
  "a home and a /tmp": {},
  "/tmp noexec": { isTemporaryFolderNoexec: true },
  "a read-only home": { isHomeReadOnly: true },
  "HOME unset": { hasHome: false },
  "/tmp noexec, a read-only home and HOME unset": {
    isTemporaryFolderNoexec: true,
    isHomeReadOnly: true,
    hasHome: false,
  },
} as const;

for (const [place, how] of Object.entries(places))
  for (const user of ["root", "ada", "nobodyKnown"] as const)
    test(`search, outline, edit, index, serve and mcp as user ${users[user].id} with ${place}`, async () => {
      const answers = await ask({ user, ...how }, everyday);
      const [search, typescript, python, zig, edit, index, indexed, started, served, status] =
        answers;
      for (const answer of answers.slice(0, -1)) {
        assert.equal(answer.status, "ok");
        assert.equal(answer.fallback, undefined, JSON.stringify(answer));
      }
      assert.equal(answers.length, 12);
      const nameOf = (answer: Envelope | undefined): unknown =>
        (answer?.data["matches"] as { context_name: string }[] | undefined)?.[0]?.context_name;
      const symbolsOf = (answer: Envelope | undefined): unknown =>
        (answer?.data["symbols"] as { name: string }[] | undefined)?.map(({ name }) => name);
      assert.equal(nameOf(search), "scheduleRetry");
      assert.deepEqual([typescript, python, zig].map(symbolsOf), [
        ["scheduleRetry"],
        ["Queue"],
        ["start"],
      ]);
      assert.equal(edit?.data["applied"], true);
      assert.equal(index?.data["files_indexed"], 4);
      assert.equal(nameOf(indexed), "Queue");
      assert.equal(started?.data["already_running"], false);
      assert.equal(nameOf(served), "scheduleRetry");
      const services = status?.data["services"] as { question_count: number }[];
      assert.deepEqual(
        services.map(({ question_count: count }) => count),
        [1],
        "the service was asked",
      );
      const message = answers.at(-1) as unknown as {
        result: { structuredContent?: unknown; isError?: boolean; content: { text: string }[] };
      };
      assert.notEqual(message.result.isError, true);
      assert.match(message.result.content[0]?.text ?? "", /"name":"Queue"/);
    });

test("there is no Node and no network, and languages, structure and tokens are there", async () => {
  const [outside] = await ask(
    { user: "ada" },
    `for name in node npm bun git rg curl; do ! command -v $name >/dev/null || exit 9; done
    ! bash -c 'exec 3<>/dev/tcp/127.0.0.1/80' 2>/dev/null || exit 8
    test "$(sed 1,2d /proc/net/dev | grep -v '^ *lo:')" = "" || exit 7
    codetool search --lang python --structural 'def $NAME($$$): $$$BODY'`,
  );
  assert.equal(outside?.status, "ok");
  assert.equal(outside.data["total_matches"], 1);
});

test("nothing at all can be written but the tree: TypeScript is parsed, and the rest says what to set", async () => {
  const nothing = {
    isHomeReadOnly: true,
    isTemporaryFolderReadOnly: true,
    isTemporaryFolderNoexec: true,
  };
  const script = "codetool outline src/retry.ts\ncodetool outline src/queue.py";
  const [typescript, python] = await ask({ user: "ada", ...nothing }, script);
  assert.equal(typescript?.fallback, undefined);
  assert.equal(python?.fallback, true);
  assert.match(JSON.stringify(python.warnings), /CODETOOL_CACHE_DIR/);
});

test("users and first starts at once: each has a cache of the same files, nobody that of another", async () => {
  const script = `
    for count in 1 2 3 4 5 6 7 8; do
      codetool outline src/queue.py > /tmp/answer-$count & pids="$pids $!"
    done
    for pid in $pids; do wait $pid || exit 5; done
    cat /tmp/answer-*`;
  const answers = await ask({ user: "ada", isHomeReadOnly: true }, script);
  assert.equal(answers.length, 8);
  for (const answer of answers) assert.equal(answer.fallback, undefined, JSON.stringify(answer));
  const asBoth = `
    chmod 755 /srv/tree
    for count in 1 2 3 4; do
      for user in 1001 1002; do
        setpriv --reuid=$user --regid=$user --clear-groups codetool outline src/queue.py > /tmp/$user-$count & pids="$pids $!"
      done
    done
    for pid in $pids; do wait $pid || exit 5; done
    cat /tmp/100?-?
    test "$(stat -c %u:%a /tmp/codetool-1001)" = 1001:700 || exit 6
    test "$(stat -c %u:%a /tmp/codetool-1002)" = 1002:700 || exit 7`;
  const ofBoth = await ask({ user: "root", environment: { HOME: "/nowhere" } }, asBoth);
  assert.equal(ofBoth.length, 8);
  for (const answer of ofBoth) assert.equal(answer.fallback, undefined, JSON.stringify(answer));
});

const damages = {
  truncated: 'truncate -s 1000 "$file"',
  overwritten: 'dd if=/dev/zero of="$file" bs=4096 count=1 conv=notrunc 2>/dev/null',
  "writable by others": 'chmod 666 "$file"',
  "a link": 'mv "$file" /tmp/moved && ln -s /tmp/moved "$file"',
  "not readable": 'chmod 000 "$file"',
  gone: 'rm "$file"',
};

for (const [what, damage] of Object.entries(damages))
  test(`a cache whose files are ${what} is mended`, async () => {
    const script = `
      codetool outline src/queue.py
      count=0
      for file in $(find ~/.cache/codetool/native -type f -o -type l); do
        ${damage}
        count=$((count + 1))
      done
      test $count -ge 10 || exit 4
      codetool outline src/queue.py
      test "$(find ~/.cache/codetool/native -type f -perm 600 -size +20k | wc -l)" = $count || exit 5`;
    const [before, after, ...others] = await ask({ user: "ada" }, script);
    assert.deepEqual(others, []);
    assert.equal(before?.fallback, undefined);
    assert.deepEqual(after, before);
  });

test("a cache that another user planted in /tmp is not used", async () => {
  const script = `
    chmod 755 /srv/tree
    mkdir -p /tmp/codetool-1001/native && chmod -R 777 /tmp/codetool-1001
    chown -R 1002:1002 /tmp/codetool-1001
    exec setpriv --reuid=1001 --regid=1001 --clear-groups codetool outline src/queue.py`;
  const environment = { HOME: "/nowhere" };
  const [answer] = await ask({ user: "root", environment }, script);
  assert.equal(answer?.fallback, undefined, JSON.stringify(answer));
  const [names] = [answer?.data["symbols"] as { name: string }[]];
  assert.equal(names?.[0]?.name, "Queue");
});
