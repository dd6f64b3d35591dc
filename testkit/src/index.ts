/**
 * Real things for tests: servers (NATS, PostgreSQL, nginx), TLS certificates, terminals, programs, temporary folders
 * and repositories, and the conformance suites that every implementer of an interface must pass.
 *
 * Everything that opens is disposable (`await using`), binds to loopback on a free port and stops by itself. A server
 * that cannot be had on this machine gives a reason to skip with; `REQUIRE_SERVERS=1`, as in continuous integration,
 * turns that skip into a failure. It knows nothing of the products: suites get their implementer passed in.
 */
export {
  agentrtLauncher,
  codetoolCommand,
  codetoolLauncher,
  overAgentrt,
} from "./program-commands.ts";
export { ChangingTree, type ChangingTreeOptions } from "./changing-tree.ts";
export { visitPage } from "./chromium.ts";
export { makeHostileTree, type HostileTreeOptions } from "./hostile-tree.ts";
export { freePort } from "./free-port.ts";
export {
  askOver,
  openHttp2,
  type TestClient,
  testClients,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from "./http-clients.ts";
export { type NatsCluster, startNatsCluster } from "./nats-cluster.ts";
export { type NatsServer, type NatsServerOptions, startNats } from "./nats-server.ts";
export { startNginx } from "./nginx-server.ts";
export {
  type OtlpAnswer,
  type OtlpReceiver,
  type OtlpRequest,
  startOtlpReceiver,
} from "./otlp-receiver.ts";
export type { OtlpValue, ReceivedSpan } from "./otlp-decoding.ts";
export {
  type PrometheusSample,
  type PrometheusServer,
  startPrometheus,
} from "./prometheus-server.ts";
export { startPostgres } from "./postgres-server.ts";
export { Program, type ProgramExit, runProgram, startProgram } from "./program.ts";
export { RawHttpClient, type RawHttpResponse } from "./raw-http.ts";
export { frame, frameType, getBlock, literalHeader, openRawHttp2, word } from "./raw-http2.ts";
export { repetitions } from "./repetitions.ts";
export {
  type ScriptedAnswer,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from "./scripted-server.ts";
export { commandPath, skipUnless } from "./server-commands.ts";
export { assertLinear, type GrowingWork, StepCounter } from "./step-counter.ts";
export { createTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts";
export { createTemporaryRepository, type TemporaryRepository } from "./temporary-repository.ts";
export { createCertificates, type Certificates } from "./tls-certificates.ts";
export { openTerminal, Terminal } from "./terminal.ts";
export { type StoreUnderTest, testStateStore } from "./state-store-suite.ts";
export {
  type ScenarioHandler,
  type ScenarioRuntime,
  type StartScenario,
  testTransport,
} from "./transport-suite.ts";
