/**
 * What all listeners share: the exchange of one request and how its answer is written, draining and sweeping, TLS files,
 * budgets against floods, limits.
 *
 * `http/`, `http3/`, `grpc/` and `websocket/` build on it and do not know each other. The room must not know what
 * answers a request.
 */
export { httpLimitDefaults, type HttpLimits } from "./http-limits.ts";
export { type TlsFiles, readTlsMaterial, type TlsMaterial } from "./tls-material.ts";
export { type HttpListener, type HttpListenerOptions } from "./http-listener.ts";
export { certificateRefusal, type OnRefusal, watchCertificates } from "./certificate-refusal.ts";
export { TurnEnd, type TurnTask } from "./turn-end.ts";
export { bindReasonOf } from "./bind-reason.ts";
export { calmDown, isTakenBack, nameFloods } from "./calm-down.ts";
export { isAuthority } from "./is-authority.ts";
export { FrameBudget } from "./frame-budget.ts";
export { peerCertificate } from "./peer-certificate.ts";
export { joinRepeatedAuthorization } from "./repeated-authorization.ts";
export {
  addHeaders,
  addOwnHeaders,
  answerHeaders,
  type Exchange,
  type HeaderLines,
  type OutgoingHeaders,
  withOwnHeaders,
} from "./exchange.ts";
export { type ProtocolServer, type ProtocolServerOptions } from "./protocol-server.ts";
export { refuseUpgrade } from "./refuse-upgrade.ts";
export { stoppingResponse, writeAnswer } from "./write-answer.ts";
export { type Upgrade, type UpgradeServer } from "./upgrade-server.ts";
export { closeGently } from "./close-gently.ts";
export { type Drained, Draining, type DrainingSteps } from "./draining.ts";
export { Sweeper } from "./sweeper.ts";
