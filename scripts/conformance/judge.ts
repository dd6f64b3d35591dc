import type { CaseResult } from "../../agentrt/src/gateway/e2e/test-support/conformance/check.ts";

/** What judges talk to: gateways of one `agentrt run`, all with the agent `echo`. */
export interface JudgedServer {
  readonly clearPort: number;
  readonly tlsPort: number;
  /** HTTP/3: a UDP port of the gateway with TLS. */
  readonly quicPort: number;
  readonly grpcPort: number;
  /** PEM of the authority of the certificate. */
  readonly caPath: string;
  /** An empty folder for what a judge writes. */
  readonly folder: string;
}

/** A program, or a list of cases, that looks at a gateway. */
export interface Judge {
  readonly name: string;
  /** What it looks at, for people. */
  readonly subject: string;
  /** Installs what is missing. @returns Its version, or why it cannot be run here. */
  prepare(): Promise<{ readonly version: string } | { readonly missing: string }>;
  run(server: JudgedServer): Promise<CaseResult[]>;
}

/** What came of a judge. */
export interface JudgeReport {
  readonly name: string;
  readonly subject: string;
  readonly version?: string;
  /** Why it was not run. */
  readonly missing?: string;
  readonly results: readonly CaseResult[];
}
