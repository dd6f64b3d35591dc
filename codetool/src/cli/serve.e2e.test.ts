/** A service that answers for processes, and the processes that do without it when anything about it is odd. */
import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import {
  createTemporaryFolder,
  type Program,
  type ProgramExit,
  runProgram,
  skipUnless,
  startProgram,
} from "testkit";
import { servedCommands } from "../service/index.ts";
import { command, firstArgs } from "./test-support/codetool.ts";

const files = {
  "tree/src/retry.ts":
    "/** Tries again. */\nexport function scheduleRetry() {\n  return wait(1);\n}\nexport function wait(ms: number) {\n  return ms;\n}\n",
  "tree/src/queue.ts":
    'import { scheduleRetry } from "./retry.ts";\nexport function enterQueue() {\n  return scheduleRetry();\n}\n',
  "tree/README.md": "# About retries\n",
  "tree/.gitignore": "ignored\n",
};

/** A tree, a folder for sockets, and codetool over both. */
class Ground implements AsyncDisposable {
  readonly #folder = createTemporaryFolder(files);
  readonly root = join(this.#folder.path, "tree");
  readonly runtime = join(this.#folder.path, "runtime");
  readonly services: Program[] = [];

  constructor() {
    mkdirSync(this.runtime);
  }

  get environment() {
    return { XDG_RUNTIME_DIR: this.runtime, CODETOOL_SERVE: undefined, HOME: this.#folder.path };
  }

  async run(
    args: readonly string[],
    environment: { readonly [name: string]: string | undefined } = {},
  ): Promise<ProgramExit> {
    return await runProgram(command, [...firstArgs, ...args], {
      workingDirectory: this.root,
      environment: { ...this.environment, ...environment },
    });
  }

  /** Asks until the service has answered: where the machine is busy, a process does not wait for it. */
  async served(
    args: readonly string[],
    environment: { readonly [name: string]: string | undefined } = {},
  ): Promise<ProgramExit> {
    for (;;) {
      const before = await this.answeredCount();
      const exit = await this.run(args, environment);
      if ((await this.answeredCount()) > before) return exit;
    }
  }

  async data(args: readonly string[]): Promise<{ readonly [name: string]: unknown }> {
    return this.dataOf(await this.run(args));
  }

  dataOf({ stdout }: ProgramExit): { readonly [name: string]: unknown } {
    const { data } = JSON.parse(stdout) as { data?: { [name: string]: unknown } };
    assert.ok(data !== undefined, stdout);
    return data;
  }

  /**
   * Starts a service in the foreground.
   *
   * @param starter A program and its first arguments that start it; default: none.
   */
  async serve(starter: readonly string[] = []): Promise<Program> {
    const { environment, root } = this;
    const options = { workingDirectory: root, environment, timeoutMs: 600_000 };
    const [program = command, ...args] = starter;
    const own = starter.length === 0 ? [] : [command];
    const service = startProgram(program, [...args, ...own, ...firstArgs, "serve"], options);
    this.services.push(service);
    await service.waitFor(/"already_running"/);
    return service;
  }

  /** How many questions the one service has answered; -1 when none runs. */
  async answeredCount(): Promise<number> {
    const { services } = (await this.data(["serve", "--status"])) as {
      services: { question_count: number; declined_count: number }[];
    };
    assert.ok(services.length < 2);
    assert.equal(services[0]?.declined_count ?? 0, 0);
    return services[0]?.question_count ?? -1;
  }

  /** Path of the one socket. */
  socket(): string {
    const [name] = readdirSync(join(this.runtime, "codetool")).filter((each) =>
      each.endsWith(".sock"),
    );
    assert.ok(name !== undefined);
    return join(this.runtime, "codetool", name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run(["serve", "--stop"]);
    for (const service of this.services) await service[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

const questions = [
  ["search", "schedule retry"],
  ["search", "scheduleRetry", "--mode", "literal", "--plain"],
  ["search", "schedule retry", "--budget", "120"],
  ["read", "src/retry.ts"],
  ["read", "src/nowhere.ts"],
  ["read", "--lines", "1-2", "src/retry.ts", "--plain"],
  ["find", "."],
  ["outline", "src"],
  ["context", "src"],
  ["impact", "src/retry.ts"],
  ["explain", "scheduleRetry"],
  ["explain", "nowhere"],
  ["map", "--plain"],
  ["exists", "enterQueue"],
  ["diff"],
  ["search", "--no-such-flag"],
  ["search", "--help"],
  ["outline", "src/nowhere"],
] as const;

test("a service answers byte for byte what a process by itself answers, for every command that it serves", async () => {
  await using ground = new Ground();
  await ground.serve();
  for (const name of servedCommands)
    assert.ok(
      questions.some(([asked]) => asked === name),
      name,
    );
  for (const question of questions) {
    const served = await ground.served(question);
    assert.deepEqual(served, await ground.run([...question, "--no-serve"]), question.join(" "));
  }
  const logged = await ground.served(["search", "wait"], { CODETOOL_LOG: "debug" });
  assert.match(logged.stderr, /search/);
  const answeredCount = await ground.answeredCount();
  // Those that write, or take input, are not asked of it.
  const edit = ["edit", "src/retry.ts", "--find", "Tries", "--replace", "Tried"];
  assert.equal((await ground.run(edit)).code, 0);
  assert.equal((await ground.run(["search", "wait"], { CODETOOL_SERVE: "off" })).code, 0);
  assert.equal(await ground.answeredCount(), answeredCount);
});

test("the next answer of a service knows of every change of the tree", async () => {
  await using ground = new Ground();
  await ground.serve();
  const found = async (word: string): Promise<unknown> => {
    const exit = await ground.served(["search", "--mode", "literal", word]);
    const { matches } = ground.dataOf(exit);
    return [...new Set((matches as { file: string }[]).map(({ file }) => file))].sort();
  };
  for (let count = 0; count < 3; count += 1)
    assert.deepEqual(await found("scheduleRetry"), ["src/queue.ts", "src/retry.ts"]);
  writeFileSync(join(ground.root, "src/new.ts"), "export const scheduleRetryLater = 1;\n");
  assert.deepEqual(await found("scheduleRetryLater"), ["src/new.ts"]);
  renameSync(join(ground.root, "src"), join(ground.root, "lib"));
  assert.deepEqual(await found("scheduleRetryLater"), ["lib/new.ts"]);
  writeFileSync(join(ground.root, ".gitignore"), "new.ts\n");
  assert.deepEqual(await found("scheduleRetryLater"), []);
  rmSync(join(ground.root, "lib"), { recursive: true });
  assert.deepEqual(await found("scheduleRetry"), []);
});

/** Runs a program where the system gives its user so many watches for files. */
const limited = (watchCount: number): readonly [string, ...string[]] => [
  "unshare",
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  `echo ${watchCount} > /proc/sys/user/max_inotify_watches && exec "$@"`,
  "sh",
];

async function whyNotLimited(): Promise<string | false> {
  const [program, ...args] = limited(1);
  const exit = await runProgram(program, [...args, "true"]);
  return exit?.code === 0 ? false : "this user may make no user namespace";
}

test(
  "a service that the system gives one watch looks at every file, and knows of every change",
  { skip: skipUnless("unshare") || (await whyNotLimited()) },
  async () => {
    await using ground = new Ground();
    await ground.serve(limited(1));
    const found = async (word: string): Promise<unknown> => {
      const exit = await ground.served(["search", "--mode", "literal", word]);
      const { matches } = ground.dataOf(exit);
      return [...new Set((matches as { file: string }[]).map(({ file }) => file))].sort();
    };
    for (let count = 0; count < 3; count += 1)
      assert.deepEqual(await found("scheduleRetry"), ["src/queue.ts", "src/retry.ts"]);
    for (let round = 1; round <= 5; round += 1) {
      writeFileSync(join(ground.root, "src/retry.ts"), `export const dragon${round} = 1;\n`);
      assert.deepEqual(await found(`dragon${round}`), ["src/retry.ts"]);
      assert.deepEqual(await found(`dragon${round - 1}`), []);
      mkdirSync(join(ground.root, `deep${round}/inside`), { recursive: true });
      writeFileSync(
        join(ground.root, `deep${round}/inside/new.ts`),
        `export const owl${round} = 1;\n`,
      );
      assert.deepEqual(await found(`owl${round}`), [`deep${round}/inside/new.ts`]);
    }
  },
);

test("each process is answered by the ignore rules of its own environment", async () => {
  await using ground = new Ground();
  await ground.serve();
  const home = join(ground.runtime, "home");
  mkdirSync(join(home, ".config/git"), { recursive: true });
  writeFileSync(join(home, ".config/git/ignore"), "queue.ts\n");
  const question = ["search", "--mode", "bm25", "schedule"];
  for (const HOME of [ground.environment.HOME, home, ground.environment.HOME, home]) {
    const served = await ground.served(question, { HOME });
    assert.equal(served.stdout.includes("queue.ts"), HOME !== home);
    assert.deepEqual(served, await ground.run([...question, "--no-serve"], { HOME }));
  }
});

test("a hundred processes at once get their own answers", async () => {
  await using ground = new Ground();
  await ground.serve();
  const alone = [await ground.run(["search", "retry"]), await ground.run(["read", "src/queue.ts"])];
  const exits = await Promise.all(
    Array.from(
      { length: 100 },
      async (_, count) =>
        await ground.run(count % 2 === 0 ? ["search", "retry"] : ["read", "src/queue.ts"]),
    ),
  );
  for (const [count, exit] of exits.entries()) assert.deepEqual(exit, alone[count % 2]);
});

test("a service that was killed is done without, and started again", async () => {
  await using ground = new Ground();
  const service = await ground.serve();
  const answer = await ground.run(["search", "retry"]);
  service.kill("SIGKILL");
  await service.exited();
  assert.deepEqual(await ground.run(["search", "retry"]), answer);
  assert.equal(await ground.answeredCount(), -1);
  await ground.serve();
  assert.deepEqual(await ground.served(["search", "retry"]), answer);
});

for (const [title, behave] of [
  ["says nothing", () => undefined],
  ["accepts, and breaks off", (socket: Socket) => socket.end("+")],
  ["sends half of an answer", (socket: Socket) => socket.end("+[0,100,0]\nhalf")],
  ["sends something else", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n")],
  ["says that it has more than it sends", (socket: Socket) => socket.end("+[0,-1,9]\nab")],
  ["ends the connection at once", (socket: Socket) => socket.destroy()],
] as const)
  test(`where a service ${title}, the process answers by itself`, async () => {
    await using ground = new Ground();
    await ground.serve();
    const answer = await ground.run(["search", "retry"]);
    const path = ground.socket();
    await ground.run(["serve", "--stop"]);
    const sockets = new Set<Socket>();
    const fake = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("data", () => behave(socket));
    });
    await new Promise<void>((resolve) => fake.listen(path, resolve));
    assert.deepEqual(await ground.run(["search", "retry"]), answer);
    assert.equal(sockets.size, 1);
    for (const socket of sockets) socket.destroy();
    fake.close();
  });

test("a folder of sockets that others may enter is not trusted, and no service starts there", async () => {
  await using ground = new Ground();
  await ground.serve();
  const answer = await ground.served(["search", "retry"]);
  const answeredCount = await ground.answeredCount();
  const folder = join(ground.runtime, "codetool");
  chmodSync(folder, 0o755);
  assert.deepEqual(await ground.run(["search", "retry"]), answer);
  const refused = await ground.run(["serve"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /"permission_denied"/);
  chmodSync(folder, 0o700);
  assert.equal(await ground.answeredCount(), answeredCount);
});

test("serve --detach goes on in the background, a second one finds it, and --stop ends it", async () => {
  await using ground = new Ground();
  const started = await ground.data(["serve", "--detach"]);
  assert.deepEqual(started, { root: ground.root, pid: started["pid"], already_running: false });
  assert.deepEqual(await ground.data(["serve", "--detach"]), { ...started, already_running: true });
  assert.equal((await ground.served(["exists", "retry"])).code, 0);
  const shown = await ground.run(["serve", "--status", "--plain"]);
  assert.match(
    shown.stdout,
    /tree: process \d+, \d+ questions answered, \d+ MB, up \d+ s, idle \d+ s\n$/,
  );
  assert.deepEqual(await ground.data(["serve", "--stop", "src"]), {
    root: ground.root,
    stopped: true,
  });
  assert.deepEqual(await ground.data(["serve", "--stop"]), { root: ground.root, stopped: false });
  assert.equal(await ground.answeredCount(), -1);
});

/** The same program as another file, as a second version is: a copy of the executable, or a script with the launcher in it. */
function otherProgram(folder: string): readonly [string, ...string[]] {
  const [launcher] = firstArgs;
  const path = join(folder, launcher === undefined ? "codetool-0.0.1" : "codetool.cjs");
  if (launcher === undefined) copyFileSync(command, path);
  else writeFileSync(path, `require(${JSON.stringify(launcher)});\n`);
  return launcher === undefined ? [path] : [command, path];
}

test("two versions at once: each is answered only by its own service, the later service stays, and answers are the same", async () => {
  await using ground = new Ground();
  using folder = createTemporaryFolder();
  const [other, ...otherArgs] = otherProgram(folder.path);
  const question = ["search", "retry"];
  const askOther = async (...args: readonly string[]): Promise<ProgramExit> =>
    await runProgram(other, [...otherArgs, ...args], {
      workingDirectory: ground.root,
      environment: ground.environment,
    });
  const counts = async (): Promise<readonly [pid: number, questions: number]> => {
    const { services } = (await ground.data(["serve", "--status"])) as {
      services: { pid: number; question_count: number }[];
    };
    assert.equal(services.length, 1);
    return [services[0]?.pid ?? 0, services[0]?.question_count ?? 0];
  };
  const first = await ground.serve();
  const answer = await ground.served(question);
  const before = await counts();
  assert.deepEqual(await askOther(...question), answer);
  assert.deepEqual(await counts(), before, "not asked, but declined");
  const both = await Promise.all(
    Array.from({ length: 10 }, async (_, count) =>
      count % 2 === 0 ? await ground.run(question) : await askOther(...question),
    ),
  );
  for (const exit of both) assert.deepEqual(exit, answer);
  const started = startProgram(other, [...otherArgs, "serve"], {
    workingDirectory: ground.root,
    environment: ground.environment,
  });
  ground.services.push(started);
  await started.waitFor(/"already_running":false/);
  assert.equal((await first.exited()).code, 0, "the first one sees that it was replaced");
  const [pid, asked] = await counts();
  assert.deepEqual(await ground.run(question), answer);
  assert.deepEqual(await counts(), [pid, asked], "declined by the other one");
  for (let last = asked; last === asked; [, last] = await counts())
    assert.deepEqual(await askOther(...question), answer);
  assert.match((await askOther("serve", "--stop")).stdout, /"stopped":true/);
});

test("with CODETOOL_SERVE=auto the first question in a tree with an index starts the service", async () => {
  await using ground = new Ground();
  const auto = { CODETOOL_SERVE: "auto" };
  await ground.run(["exists", "retry"], auto);
  assert.deepEqual(readdirSync(ground.runtime), []);
  await ground.run(["index"]);
  await ground.run(["exists", "retry"], auto);
  while ((await ground.answeredCount()) === -1);
  assert.equal((await ground.served(["exists", "retry"], auto)).code, 0);
});

test("after init --serve the first question starts the service, unless it is told otherwise; --remove undoes it", async () => {
  await using ground = new Ground();
  await ground.run(["index"]);
  const init = await ground.data(["init", "--serve"]);
  const path = join(ground.environment.HOME, ".codetool/serve");
  assert.deepEqual(init["frameworks"], [
    { framework: "serve", files: [{ path, action: "created" }] },
  ]);
  const again = await ground.run(["init", "--serve"]);
  assert.match(again.stdout, /"action":"unchanged"/);
  await ground.run(["exists", "retry"], { CODETOOL_SERVE: "off" });
  await ground.run(["exists", "retry", "--no-serve"]);
  assert.deepEqual(readdirSync(ground.runtime), []);
  const home = ground.environment.HOME;
  const before = readdirSync(home);
  await ground.run(["exists", "retry"]);
  while ((await ground.answeredCount()) === -1);
  assert.equal((await ground.served(["exists", "retry"])).code, 0);
  assert.match((await ground.run(["init", "--remove"])).stdout, /"framework":"serve"/);
  assert.equal((await ground.data(["serve", "--stop"]))["stopped"], true);
  const kept = readdirSync(home, { recursive: true, encoding: "utf8" });
  assert.deepEqual(
    kept.filter((path) => path === join(".codetool", "serve")),
    [],
  );
  assert.ok(before.includes(".codetool"));
  await ground.run(["exists", "retry"]);
  assert.equal(await ground.answeredCount(), -1);
});
