import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  commandPath,
  createTemporaryFolder,
  type Program,
  type ProgramExit,
  startProgram,
  type TemporaryFolder,
} from "testkit";
import {
  askOnAndOn,
  type ClientName,
  type Failure,
  type Running,
  type Seen,
  type Targets,
  wholeAnswer,
} from "./client.ts";

const protoFolder = fileURLToPath(new URL("../../../agentrt/src/gateway/grpc", import.meta.url));
const wholeEvents = /^(?:id: \d\ndata: \{"n":\d\}\n\n){5}$/;
/** Each has a connection to itself: one that was refused took no request. */
const notSent = /connection refused|Couldn't connect|Failed to connect/i;

/**
 * Clients that are a program each, started again for every request: curl over HTTP/1.1, over HTTP/2 and for a stream of
 * events, h2load with a hundred requests at a time, and grpcurl where there is one.
 *
 * @param targets Where.
 * @param grpcurl Path of grpcurl; undefined leaves it out.
 */
export function programClients(
  { http1, http2, grpc }: Targets,
  grpcurl: string | undefined,
): Running[] {
  const [slow, events] = [`http://127.0.0.1:${http1}/slow`, `http://127.0.0.1:${http1}/events`];
  const isAnswer = (body: string): boolean => body === wholeAnswer;
  const running = [
    curl({ name: "curl", protocol: "HTTP/1.1" }, [slow], isAnswer),
    curl(
      { name: "curl --http2", protocol: "HTTP/2" },
      ["--http2-prior-knowledge", `http://127.0.0.1:${http2}/slow`],
      isAnswer,
    ),
    curl({ name: "curl, events", protocol: "HTTP/1.1" }, ["--no-buffer", events], (body) =>
      wholeEvents.test(body),
    ),
  ];
  const h2load = commandPath("h2load");
  if (h2load !== undefined) running.push(runH2load(h2load, http2));
  if (grpcurl !== undefined) running.push(runGrpcurl(grpcurl, grpc));
  return running;
}

/** curl says how long its transfer took, and how much of that had gone when it began to send. */
function curl(
  client: ClientName,
  words: readonly string[],
  isWhole: (body: string) => boolean,
): Running {
  const written = "\n%{http_code} %{time_pretransfer} %{time_total}";
  const args = ["--silent", "--show-error", "--write-out", written, ...words];
  return askOnAndOn(client, async () => {
    const { code, stdout, stderr } = await runClient("curl", args);
    const endS = Date.now() / 1000;
    const [, body = "", status, beforeSendS, totalS] =
      /^(.*)\n(\d{3}) ([\d.]+) ([\d.]+)$/s.exec(stdout) ?? [];
    if (code === 0 && status === "200" && isWhole(body)) return { ok: 1 };
    if (notSent.test(stderr)) return {};
    const error = `curl exit ${code}, status ${status}: ${stderr.trim()} ${body}`;
    return { failures: [{ sentS: endS - Number(totalS) + Number(beforeSendS), error }] };
  });
}

const requestCountAtOnce = 100;

/** h2load keeps two connections with eight requests at work on each, and dates every request in its log. */
function runH2load(h2load: string, port: number): Running {
  const folder = createTemporaryFolder();
  const log = join(folder.path, "requests.tsv");
  const args = ["-n", `${requestCountAtOnce}`, "-c", "2", "-m", "8", `--log-file=${log}`];
  const running = askOnAndOn({ name: "h2load", protocol: "HTTP/2" }, async () => {
    rmSync(log, { force: true });
    const { stdout } = await runClient(h2load, [...args, `http://127.0.0.1:${port}/slow`]);
    return readLog(existsSync(log) ? readFileSync(log, "utf8") : "", stdout);
  });
  return closing(running, folder);
}

/**
 * Each row of the log is the time at which the request was sent, microseconds since 1970, and its status, -1 for a stream
 * that failed. A row with the time 0 is of a request that never left. What h2load began and never logged was at work when
 * its connection ended, or waited to be sent then.
 */
function readLog(log: string, printed: string): Partial<Seen> {
  const rows = log.split("\n").filter((row) => row !== "");
  const failures: Failure[] = [];
  let ok = 0;
  for (const row of rows) {
    const [sentUs = Number.NaN, status] = row.split("\t").map(Number);
    if (status === 200) ok += 1;
    else if (sentUs > 0)
      failures.push({ sentS: sentUs / 1e6, error: `a request of h2load has status ${status}` });
  }
  const begunCount = Number(/(\d+) started/.exec(printed)?.[1] ?? 0);
  for (let count = rows.length; count < begunCount; count += 1)
    failures.push({
      sentS: Number.POSITIVE_INFINITY,
      error: "h2load does not say what came of it",
    });
  return { ok, failures };
}

/** grpcurl knows the service from its file, so that it sends the call at once; it says when it does. */
function runGrpcurl(grpcurl: string, port: number): Running {
  const known = ["-import-path", protoFolder, "-proto", "agent.proto"];
  const call = ["-d", '{"recipient":"slow"}', `127.0.0.1:${port}`, "agentrt.Agent/Invoke"];
  const args = ["-plaintext", "-v", ...known, ...call];
  return askOnAndOn({ name: "grpcurl", protocol: "gRPC" }, async () => {
    const program = startClient(grpcurl, args);
    const sent = program.waitFor(/Request metadata to send/).then(
      () => Date.now() / 1000,
      () => undefined,
    );
    const { code, stdout, stderr } = await program.exited();
    if (code === 0 && /"done": true/.test(stdout)) return { ok: 1 };
    const sentS = await sent;
    if (sentS === undefined || notSent.test(stderr)) return {};
    return { failures: [{ sentS, error: `grpcurl exit ${code}: ${stderr.trim()}` }] };
  });
}

/** A program that hangs is a loss, not the end of the soak. */
const hungAfterMs = 30_000;

function startClient(command: string, args: readonly string[]): Program {
  return startProgram(command, args, { timeoutMs: hungAfterMs });
}

async function runClient(command: string, args: readonly string[]): Promise<ProgramExit> {
  return await startClient(command, args).exited();
}

function closing(running: Running, folder: TemporaryFolder): Running {
  return {
    ...running,
    async stop() {
      const seen = await running.stop();
      folder[Symbol.dispose]();
      return seen;
    },
  };
}
