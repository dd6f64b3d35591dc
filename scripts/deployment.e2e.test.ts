/**
 * What `agentrt deploy container-compose` writes, without a container engine: the steps of the build file run in a root folder of this machine, and
 * the services of the Compose file in it, in a network that only they see.
 */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { parseEnv } from "node:util";
import {
  agentrtLauncher,
  createTemporaryFolder,
  type Program,
  runProgram,
  skipUnless,
  startProgram,
} from "testkit";
import { parse } from "yaml";
import { installedPackages } from "./installed-packages.ts";
import { buildImage } from "./scratch/build-image.ts";

const agents = `import { Agent, type Message } from "agentrt";

export class Front extends Agent {
  override async handle({ payload }: Message) {
    this.state["count"] = Number(this.state["count"] ?? 0) + 1;
    await this.checkpoint();
    return { ...(await this.call("back", payload)), user: process.getuid?.(), count: this.state["count"] };
  }
}

export class Back extends Agent {
  override async handle({ payload }: Message) {
    return { said: payload["say"] ?? null, by: this.name };
  }
}
`;

const topology = (transport: string): string => `transport:
  type: ${transport}
plugins: { state: { type: sqlite } }
${transport === "zmq" ? "security: { signing: { enabled: true } }" : ""}
supervision:
  name: root
  max_restarts: 100
  backoff_base: 0.01
  children:
    - agent: { name: front, type: agents.Front }
    - agent: { name: back, type: agents.Back, process: heavy }
    - name: api
      type: http_gateway
      config: { host: 127.0.0.1, port: 8080, routes: [{ method: POST, path: /ask, agent: front }] }
${transport === "nats" ? "    - { name: control, type: topology_server, config: { prefix: /control } }\n" : ""}`;

interface Service {
  readonly command: readonly string[];
  readonly environment: { readonly [name: string]: string };
  readonly volumes: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

const isRoot = process.getuid?.() === 0;
const skip = isRoot
  ? skipUnless("unshare", "nsenter", "ip", "chroot", "tini", "nats-server", "curl", "wget")
  : "only root may mount and chroot";

let installed: Awaited<ReturnType<typeof installedPackages>>;
before(async () => {
  installed = await installedPackages();
});
after(() => installed[Symbol.dispose]());

/** A project with the packed package, deployed to `deploy`. */
async function deployedProject(transport: string) {
  const [tarball = ""] = globSync("agentrt-*.tgz", { cwd: installed.path });
  const repository = join(import.meta.dirname, "..", "agentrt", "package.json");
  const { devDependencies } = JSON.parse(readFileSync(repository, "utf8")) as {
    readonly devDependencies: { readonly [name: string]: string };
  };
  const client = transport === "nats" ? "@nats-io/transport-node" : "zeromq";
  const project = createTemporaryFolder({
    "package.json": JSON.stringify({
      private: true,
      type: "module",
      dependencies: {
        agentrt: `file:packed/${basename(tarball)}`,
        [client]: devDependencies[client],
      },
    }),
    [`packed/${basename(tarball)}`]: readFileSync(join(installed.path, tarball)),
    "agents.ts": agents,
    "topology.yaml": topology(transport),
    ".env": "SECRET=not-in-the-image\n",
  });
  const words = [agentrtLauncher(), "deploy", "container-compose"];
  const exit = await runProgram(process.execPath, words, { workingDirectory: project.path });
  assert.equal(exit.code, 0, exit.stderr);
  return project;
}

/** Starts a network that only those in it see; ends with the process. */
async function startNetwork(): Promise<Program> {
  const script = "ip link set lo up && echo up && exec sleep 600";
  const network = startProgram("unshare", ["-n", "sh", "-c", script]);
  await network.waitFor(/up/);
  return network;
}

for (const transport of ["nats", "zmq"]) {
  test(
    `the services of a deployment over ${transport} build, come up well, and serve through a worker`,
    { skip },
    async () => {
      using project = await deployedProject(transport);
      const folder = join(project.path, "deploy");
      const image = await buildImage(join(folder, "Dockerfile"), project.path);
      using root = image.root;
      assert.throws(() => readFileSync(root.at("/app/.env")), /ENOENT/);
      const { services } = parse(readFileSync(join(folder, "compose.yaml"), "utf8")) as {
        readonly services: { readonly [name: string]: Service };
      };
      const variables = parseEnv(readFileSync(join(folder, ".env"), "utf8"));
      const filled = (text: string): string =>
        text.replaceAll(/\$\{(\w+)(?::-\w+)?\}/g, (_, name: string) => variables[name] ?? "");
      await using network = await startNetwork();
      const networkOf = network.process.pid ?? 0;
      const { directory, isNode } = image;
      const inside = (service: Service) => ({
        directory,
        isNode,
        networkOf,
        environment: {
          ...image.environment,
          ...(variables as { readonly [name: string]: string }),
          ...Object.fromEntries(
            Object.entries(service.environment).map(([name, value]) => [name, filled(value)]),
          ),
        },
      });
      const isWell = async (service: Service): Promise<boolean> =>
        (await root.run(image.healthcheck, inside(service))).code === 0;
      /** A process that has ended is never well. */
      const untilWell = async (service: Service, program: Program): Promise<void> => {
        while (!(await isWell(service)))
          assert.equal(program.process.exitCode, null, program.output);
      };
      const start = (service: Service): Program => {
        for (const volume of service.volumes) {
          const [from = "", to = ""] = volume.split(":");
          if (from.startsWith(".")) root.copy(join(folder, from), to);
        }
        return root.start([...image.entrypoint, ...service.command.map(filled)], inside(service));
      };
      const { nats, supervisor, "worker-heavy": worker } = services;
      assert.ok(supervisor !== undefined && worker !== undefined);
      assert.equal(nats === undefined, transport === "zmq");
      assert.deepEqual(
        [worker, supervisor].map(({ environment }) => environment["AGENTRT_HEALTH"]),
        transport === "nats"
          ? ["connected:4222", "http://127.0.0.1:6789/control/health"]
          : ["connected:5559", "listening:8080"],
      );
      await using stack = new AsyncDisposableStack();
      if (nats !== undefined) {
        const words = ["nats-server", ...nats.command];
        const server = stack.use(root.start(words, { networkOf, directory: "/tmp" }));
        await server.waitFor(/Server is ready/);
        const [, ...healthcheck] = nats.healthcheck?.test ?? [];
        assert.equal((await root.run(healthcheck, { networkOf })).code, 0);
      }
      assert.equal(await isWell(worker), false);
      const programs = [stack.use(start(worker)), stack.use(start(supervisor))] as const;
      await untilWell(worker, programs[0]);
      await untilWell(supervisor, programs[1]);
      await programs[0].waitFor(/the supervisor has taken this worker/);
      const words = [
        "curl",
        "-m",
        "40",
        "-sSf",
        "--retry",
        "5",
        "--retry-all-errors",
        "-H",
        "content-type: application/json",
      ];
      const asked = await root.run(
        [...words, "-d", '{"say":"hello"}', "http://127.0.0.1:8080/ask"],
        { networkOf },
      );
      assert.equal(
        asked.code,
        0,
        [asked.stderr, ...programs.map(({ output }) => output)].join("\n"),
      );
      assert.deepEqual(JSON.parse(asked.stdout), {
        said: "hello",
        by: "back",
        user: 1000,
        count: 1,
      });
      for (const program of programs) program.kill("SIGTERM");
      for (const program of programs) {
        const exit = await program.exited();
        assert.equal(exit.code, 0, exit.stderr);
      }
      assert.ok(readFileSync(root.at("/data/agency_state.db")).length > 0);
      if (transport === "zmq")
        for (const name of ["supervisor", "heavy"])
          assert.ok(existsSync(root.at(`/data/agentrt-keys/${name}/id_ed25519`)), name);
      assert.equal(await isWell(supervisor), false);
    },
  );
}
