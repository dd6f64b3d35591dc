import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { reasonOf } from "../../core/index.ts";
import { cliErrors } from "../errors.ts";

/** The files of a client of a NATS server with TLS, as paths. */
export interface NatsTlsFiles {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

const pemPattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Most certificates of a file: a chain has a few, a system's list of authorities some hundred. */
const certificateCountMax = 1000;
const dayMs = 86_400_000;

/**
 * Checks that a certificate, a private key and an authority belong together, and that all of them hold now.
 *
 * @param files Where they are.
 * @param nowMs Wall-clock time, milliseconds since the Unix epoch.
 * @returns What people should know of them, a line each: how long they hold, and whether others may read the key.
 * @throws AGENTRT_CLI_TLS_FILE naming the first file that does not fit, and why.
 */
export function checkNatsTls(files: NatsTlsFiles, nowMs: number): readonly string[] {
  const chain = readCertificates(files.cert);
  const authorities = readCertificates(files.ca);
  const [own] = chain;
  const key = readKey(files.key);
  if (!own.checkPrivateKey(key))
    throw refusal(files.key, `it is not the key of the certificate in "${files.cert}"`);
  const lines = [lifetimeOf(files.cert, own, nowMs)];
  const authority = authorityOf(chain, authorities);
  if (authority === undefined)
    throw refusal(
      files.ca,
      `it has not signed the certificate in "${files.cert}", whose issuer is ${oneLine(own.issuer)}`,
    );
  for (const certificate of new Set([...chain.slice(1), authority]))
    lines.push(
      lifetimeOf(authorities.includes(certificate) ? files.ca : files.cert, certificate, nowMs),
    );
  const mode = statSync(files.key).mode & 0o777;
  if ((mode & 0o077) !== 0)
    lines.push(`note: key "${files.key}" may be read by other users: chmod 600 ${files.key}`);
  return lines;
}

function readCertificates(path: string): readonly [X509Certificate, ...X509Certificate[]] {
  const texts = readText(path).match(pemPattern) ?? [];
  if (texts.length > certificateCountMax)
    throw refusal(
      path,
      `it holds ${texts.length} certificates, at most ${certificateCountMax} are read`,
    );
  try {
    const [first, ...others] = texts.map((text) => new X509Certificate(text));
    if (first !== undefined) return [first, ...others];
  } catch (cause) {
    throw refusal(path, `a certificate in it cannot be read: ${reasonOf(cause)}`, cause);
  }
  throw refusal(path, "it holds no certificate in PEM form");
}

function readKey(path: string): KeyObject {
  const text = readText(path);
  if (/ENCRYPTED/.test(text))
    throw refusal(path, "its key is encrypted, and nobody is there to type the password");
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw refusal(path, "it holds no private key in PEM form", cause);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : reasonOf(cause);
    throw refusal(path, `it cannot be read: ${reason}`, cause);
  }
}

/** Follows who signed whom, from the first certificate of a chain to one of the authorities. */
function authorityOf(
  chain: readonly [X509Certificate, ...X509Certificate[]],
  authorities: readonly X509Certificate[],
): X509Certificate | undefined {
  const isSignedBy = (one: X509Certificate, other: X509Certificate): boolean =>
    one.checkIssued(other) && one.verify(other.publicKey);
  let [last] = chain;
  const others = new Set(chain.slice(1));
  for (;;) {
    const found = authorities.find((authority) => isSignedBy(last, authority));
    if (found !== undefined) return found;
    const next = [...others].find((other) => isSignedBy(last, other));
    if (next === undefined) return undefined;
    others.delete(next);
    last = next;
  }
}

function lifetimeOf(path: string, certificate: X509Certificate, nowMs: number): string {
  const { validFromDate, validToDate, subject } = certificate;
  const who = oneLine(subject);
  if (validToDate.getTime() <= nowMs)
    throw refusal(path, `the certificate of ${who} has expired on ${dayOf(validToDate)}`);
  if (validFromDate.getTime() > nowMs)
    throw refusal(
      path,
      `the certificate of ${who} does not hold before ${validFromDate.toISOString()}`,
    );
  const days = Math.floor((validToDate.getTime() - nowMs) / dayMs);
  return `"${path}" (${who}) holds until ${dayOf(validToDate)}, ${days} ${days === 1 ? "day" : "days"}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function oneLine(name: string): string {
  return name.replaceAll("\n", ", ") || "no name";
}

function refusal(path: string, reason: string, cause?: unknown): Error {
  return new cliErrors.TLS_FILE({ path, reason }, cause === undefined ? {} : { cause });
}
