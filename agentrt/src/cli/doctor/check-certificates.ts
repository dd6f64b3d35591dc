import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { reasonOf } from "../../core/index.ts";
import { readTlsMaterial } from "../../gateway/index.ts";
import type { Finding } from "./finding.ts";
import type { ListenerNode } from "./listener-nodes.ts";

const dayMs = 86_400_000;
/** A certificate that ends within so many days gets a warning. */
const expiryWarningDays = 30;
const check = "certificates";

/**
 * Looks at the certificates and keys that listeners name: whether they can be read and belong together, how long they
 * hold, and who may read the keys.
 *
 * @param listeners The nodes.
 * @param nowMs Wall-clock time, milliseconds since the Unix epoch.
 */
export function checkCertificates(listeners: readonly ListenerNode[], nowMs: number): Finding[] {
  const findings: Finding[] = [];
  for (const { name, certs } of listeners) {
    if (certs.tls === undefined) continue;
    const { tlsCert, tlsKey, tlsCaCert } = certs.tls;
    try {
      readTlsMaterial(name, certs.tls);
    } catch (error) {
      const remedy = "give files in PEM form that belong together, readable by this user";
      findings.push({ check, state: "failed", message: reasonOf(error), remedy });
      continue;
    }
    findings.push(...certificatesOf(tlsCert, nowMs));
    if (tlsCaCert !== undefined) findings.push(...certificatesOf(tlsCaCert, nowMs));
    findings.push(...openKey(tlsKey));
  }
  return findings;
}

const pemPattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Each certificate of a file: a chain ends with its first certificate that does. */
function certificatesOf(path: string, nowMs: number): Finding[] {
  const texts = readFileSync(path, "latin1").match(pemPattern) ?? [];
  return texts.map((text) => {
    const { subject, validFromDate, validToDate } = new X509Certificate(text);
    const who = `"${path}" (${subject.split("\n").at(-1) ?? "no subject"})`;
    const from = validFromDate.getTime();
    const until = validToDate.getTime();
    const date = validToDate.toISOString().slice(0, 10);
    const days = Math.floor((until - nowMs) / dayMs);
    const renewed = { remedy: "renew it, and restart the gateway that uses it" };
    if (until <= nowMs)
      return { check, state: "failed", message: `${who} has expired on ${date}`, ...renewed };
    if (from > nowMs) {
      const remedy = "look at the clock of this machine, or take the certificate before it";
      const message = `${who} does not hold before ${validFromDate.toISOString()}`;
      return { check, state: "failed", message, remedy };
    }
    const message = `${who} holds until ${date}, ${days} ${days === 1 ? "day" : "days"}`;
    return days < expiryWarningDays
      ? { check, state: "warning", message, ...renewed }
      : { check, state: "ok", message };
  });
}

function openKey(path: string): Finding[] {
  const mode = statSync(path).mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  const shown = mode.toString(8).padStart(4, "0");
  return [
    {
      check,
      state: "warning",
      message: `key "${path}" may be read by other users (${shown})`,
      remedy: `chmod 600 ${path}`,
    },
  ];
}
