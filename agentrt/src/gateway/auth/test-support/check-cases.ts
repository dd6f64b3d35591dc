import type { System } from "../../../core/index.ts";
import type { RequestChain } from "../../chain/request-chain.ts";
import { type AuthCase, type AuthCaseGroup, gatewayOfGroup } from "./auth-case.ts";
import { type CaseCertificates, forwardedCertCaseGroups } from "./client-cert-cases.ts";
import { jwksCaseGroup } from "./jwks-cases.ts";
import { apiKeyCaseGroups, jwtCaseGroups } from "./jwt-cases.ts";

/** A response as any listener gives it. */
export interface CaseResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string | undefined };
  readonly body: unknown;
}

/** A listener in front of a gateway, and its client: how requests of cases travel. */
export interface CaseListener extends AsyncDisposable {
  /** Sends GET `/who-am-i`. */
  ask(headers: AuthCase["headers"]): Promise<CaseResponse>;
}

/** What the cases are made from. */
export interface CaseMaterial {
  /** Wall clock, milliseconds, within the certificates' validity. */
  readonly nowMs: number;
  readonly certificates: CaseCertificates;
  /** Puts a text where a gateway finds it, and gives the path. */
  readonly writeFile: (text: string) => string;
}

/** Every case of authentication, for whichever listener carries requests. */
export function authCaseGroups({ nowMs, certificates, writeFile }: CaseMaterial): AuthCaseGroup[] {
  return [
    ...apiKeyCaseGroups(nowMs),
    ...jwtCaseGroups(nowMs),
    jwksCaseGroup(nowMs, writeFile),
    ...forwardedCertCaseGroups(nowMs, certificates),
  ];
}

/** How the cases of a listener are run. */
export interface CaseRun {
  /** The gateway's clock, which stands at the group's time. */
  readonly system: System;
  /** Puts a listener in front of the gateway. */
  readonly listen: (chain: RequestChain) => Promise<CaseListener>;
  /** That of `node:assert/strict`. */
  readonly deepEqual: (found: unknown, wanted: unknown, message: string) => void;
}

/**
 * Sends every request of a group, twice: what was refused or let through once is so again.
 *
 * @param group The cases.
 * @param run The clock, the listener and the comparison.
 */
export async function checkCases(
  group: AuthCaseGroup,
  { system, listen, deepEqual }: CaseRun,
): Promise<void> {
  await using listener = await listen(await gatewayOfGroup(group, system));
  for (const { name, headers, status, body, responseHeaders = {} } of group.cases) {
    for (const attempt of ["first", "second"]) {
      const response = await listener.ask(headers);
      const found = { status: response.status, body: response.body };
      deepEqual(found, { status, body: body ?? found.body }, `${name}, ${attempt} time`);
      for (const [header, value] of Object.entries(responseHeaders)) {
        deepEqual(response.headers[header], value, `${name}: ${header}`);
      }
    }
  }
}
