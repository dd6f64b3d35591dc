import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { X509Certificate } from "node:crypto";
import {
  createCertificates,
  createTemporaryFolder,
  createTemporaryRepository,
  freePort,
  openTerminal,
  runProgram,
  skipUnless,
  startNats,
  startNginx,
  startPostgres,
  startProgram,
} from "./index.ts";

test("createTemporaryFolder() is gone with its files when disposed", () => {
  let path: string;
  {
    using folder = createTemporaryFolder({ "a/b.txt": "text" });
    path = folder.path;
    assert.equal(readFileSync(`${path}/a/b.txt`, "utf8"), "text");
  }
  assert.equal(existsSync(path), false);
});

test("createTemporaryRepository() commits its files", { skip: skipUnless("git") }, () => {
  using repository = createTemporaryRepository({ "a.txt": "one\n" });
  repository.write({ "b.txt": "two\n" });
  const commit = repository.commit("second");
  assert.match(commit, /^[0-9a-f]{40}$/);
  assert.deepEqual(repository.git("ls-files").trim().split("\n"), ["a.txt", "b.txt"]);
});

test("freePort() gives no port twice, and none that a process beside it was given", async () => {
  const script = `
    import { freePort } from ${JSON.stringify(new URL("free-port.ts", import.meta.url).href)};
    console.log(JSON.stringify(await Promise.all(Array.from({ length: 150 }, freePort))));
    setInterval(() => undefined, 1000);`;
  const programs = Array.from({ length: 3 }, () =>
    startProgram(process.execPath, ["--input-type=module", "--eval", script]),
  );
  const given = await Promise.all(
    programs.map(
      async (program) => JSON.parse((await program.waitFor(/^\[.*\]$/m))[0]) as number[],
    ),
  );
  for (const program of programs) await program[Symbol.asyncDispose]();
  const all = [given, await Promise.all(Array.from({ length: 150 }, freePort))].flat(2);
  assert.equal(new Set(all).size, 600);
  for (const port of all) assert.ok(port > 20_000 && port < 32_000, String(port));
});

test("startProgram() waits for output and reports a signal", async () => {
  await using program = startProgram(process.execPath, [
    "-e",
    "console.log('up'); setInterval(() => {}, 1000)",
  ]);
  await program.waitFor(/up/);
  program.kill("SIGTERM");
  assert.equal((await program.exited()).signal, "SIGTERM");
});

test("waitFor() rejects with the output when the program ends first", async () => {
  await using program = startProgram(process.execPath, ["-e", "console.log('other')"]);
  await assert.rejects(program.waitFor(/never/), /other/);
});

test(
  "startNats() gives a server that greets with INFO",
  { skip: skipUnless("nats-server") },
  async () => {
    await using server = await startNats({ jetStream: true });
    const socket = connect(server.port, "127.0.0.1");
    const [greeting] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    assert.match(greeting.toString(), /^INFO .*"jetstream":true/);
  },
);

test(
  "startPostgres() gives a server that answers a query",
  { skip: skipUnless("postgres", "psql") },
  async () => {
    await using server = await startPostgres();
    const answer = await runProgram("psql", [server.url, "-Atc", "select 6 * 7"]);
    assert.equal(answer.stdout.trim(), "42", answer.stderr);
  },
);

test("startNginx() passes requests on", { skip: skipUnless("nginx") }, async () => {
  const upstream = createServer((_request, response) => response.end("from upstream"));
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as { port: number };
  await using server = await startNginx(`location / { proxy_pass http://127.0.0.1:${port}; }`);
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  assert.equal(await answer.text(), "from upstream");
  upstream.closeAllConnections();
  upstream.close();
});

test(
  "createCertificates() gives a client certificate that its CA issued and a foreign one that it did not",
  { skip: skipUnless("openssl") },
  () => {
    using certificates = createCertificates();
    const ca = new X509Certificate(readFileSync(certificates.ca));
    assert.equal(
      new X509Certificate(readFileSync(certificates.clientCertificate)).checkIssued(ca),
      true,
    );
    assert.equal(
      new X509Certificate(readFileSync(certificates.foreignCertificate)).checkIssued(ca),
      false,
    );
    execFileSync("openssl", ["verify", "-CAfile", certificates.ca, certificates.serverCertificate]);
  },
);

test("openTerminal() shows what a program printed", { skip: skipUnless("tmux") }, async () => {
  using terminal = openTerminal("printf 'sum:%s\\n' $((40 + 2))");
  assert.match(await terminal.waitFor(/sum:42/), /sum:42/);
});
