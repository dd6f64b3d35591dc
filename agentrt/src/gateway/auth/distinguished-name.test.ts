import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { createCertificates } from "testkit";
import { readAllowedNames } from "./allowed-names.ts";
import {
  canonicalName,
  type DistinguishedName,
  formatName,
  parseName,
  subjectOf,
} from "./distinguished-name.ts";

/** Subjects as `openssl -subj` takes them, and what RFC 4514 makes of them. */
const subjects: readonly (readonly [subject: string, dn: string])[] = [
  ["/O=Test/CN=client", "CN=client,O=Test"],
  ["/C=DE/O=Acme, Inc./CN=ada", String.raw`CN=ada,O=Acme\, Inc.,C=DE`],
  ["/O=Acme/OU=a+OU=b/CN=ada", "CN=ada,OU=a+OU=b,O=Acme"],
  ["/DC=org/DC=example/UID=ada", "UID=ada,DC=example,DC=org"],
  ["/CN= #lead and trail ", String.raw`CN=\ #lead and trail\ `],
  ["/CN=#hash", String.raw`CN=\#hash`],
  ['/CN=a"b<c>d;e', String.raw`CN=a\"b\<c\>d\;e`],
  ["/CN=back\\\\slash", String.raw`CN=back\\slash`],
  ["/CN=Grüße 東京", "CN=Grüße 東京"],
  ["/CN=a=b", "CN=a=b"],
  ["/serialNumber=7/CN=x", "CN=x,2.5.4.5=7"],
  ["/emailAddress=ada@example.org/CN=x", "CN=x,1.2.840.113549.1.9.1=ada@example.org"],
];

test("the subject of a certificate is written as RFC 4514 says, and reads back as the same name", () => {
  for (const [subject, dn] of subjects) {
    const name = subjectOf(certificateOf(subject));
    assert.ok(name !== undefined, subject);
    assert.equal(formatName(name), dn);
    const parsed = parseName(dn);
    assert.ok(parsed !== undefined, dn);
    assert.equal(canonicalName(parsed), canonicalName(name), dn);
  }
});

test("what openssl prints of a subject reads as the same name", () => {
  for (const [subject, dn] of subjects) {
    const printed = execFileSync("openssl", ["x509", "-noout", "-subject", "-nameopt", "RFC2253"], {
      input: new X509Certificate(certificateOf(subject)).toString(),
      encoding: "utf8",
    })
      .replace(/^subject=/, "")
      .replace(/\n$/, "");
    const [parsed, wanted] = [parseName(printed), parseName(dn)];
    assert.ok(parsed !== undefined && wanted !== undefined, printed);
    assert.equal(canonicalName(parsed), canonicalName(wanted), printed);
  }
});

const certificates = new Map<string, Uint8Array>();

function certificateOf(clientSubject: string): Uint8Array {
  const known = certificates.get(clientSubject);
  if (known !== undefined) return known;
  const arguments_ = ["req", "-x509", "-utf8", "-newkey", "ec", "-pkeyopt"];
  const pem = execFileSync(
    "openssl",
    [
      ...arguments_,
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      "/dev/null",
      "-multivalue-rdn",
      "-subj",
      clientSubject,
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const der = new X509Certificate(pem).raw;
  certificates.set(clientSubject, der);
  return der;
}

test("a name keeps its meaning when it is written and read, whatever its values hold", () => {
  const value = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom(...Array.from(' #\\,+;<>="\0\n2Cé')),
      minLength: 1,
      maxLength: 8,
    }),
  );
  const attribute = fc.record({ type: fc.constantFrom("CN", "O", "2.5.4.5"), value });
  const relative = fc.array(attribute, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(relative, { minLength: 1, maxLength: 3 }), (name: DistinguishedName) => {
      const written = formatName(name);
      const parsed = parseName(written);
      assert.ok(parsed !== undefined, written);
      assert.equal(canonicalName(parsed), canonicalName(name), written);
      assert.deepEqual(
        [...readAllowedNames(`CN=x;${written};CN=y`).names],
        [...new Set(["CN=x", written, "CN=y"].map((each) => canonicalName(parseName(each) ?? [])))],
      );
    }),
  );
});

test("only the whole name is the name", () => {
  const allowed = readAllowedNames("CN=ada,O=Acme; CN=bob,OU=x+OU=y,O=Acme ;;").names;
  const isAllowed = (dn: string): boolean => allowed.has(canonicalName(parseName(dn) ?? []));
  for (const dn of [
    "CN=ada,O=Acme",
    "cn=ada, o=Acme",
    "2.5.4.3=ada,O=Acme",
    String.raw`CN=\61da,O=Acme`,
    "CN=bob,OU=y+OU=x,O=Acme",
  ]) {
    assert.ok(isAllowed(dn), dn);
  }
  for (const dn of [
    "O=Acme,CN=ada",
    "CN=ada",
    "O=Acme",
    "CN=ada,O=Acme,C=DE",
    "CN=eve,CN=ada,O=Acme",
    "CN=ada+O=Acme",
    "CN=Ada,O=Acme",
    "CN=ada,O=acme",
    "CN=аda,O=Acme", // A Cyrillic letter.
    String.raw`CN=ada\00,O=Acme`,
    String.raw`CN=ada\00.evil,O=Acme`,
    String.raw`CN=ada\,O=Acme`,
    String.raw`CN=ada\ ,O=Acme`,
    "CN=bob,OU=x,OU=y,O=Acme",
    "CN=bob,OU=x+OU=y+OU=z,O=Acme",
    "",
  ]) {
    assert.ok(!isAllowed(dn), dn);
  }
});

test("readAllowedNames() says what in it is no name", () => {
  const { names, faulty } = readAllowedNames("CN=ada;ada;X=1;CN=a,;=b;CN=a\\");
  assert.equal(names.size, 1);
  assert.deepEqual(faulty, ["ada", "X=1", "CN=a,", "=b", "CN=a\\"]);
});

test("subjectOf() reads nothing from bytes that are cut, changed or too many", () => {
  using files = createCertificates();
  const der = new X509Certificate(readFileSync(files.clientCertificate)).raw;
  const dn = "CN=client,O=Test";
  for (let length = 0; length < der.length; length += 7) {
    assert.equal(subjectOf(der.subarray(0, length)), undefined, `${length}`);
  }
  assert.equal(subjectOf(Buffer.concat([der, Buffer.from([0])])), undefined);
  assert.equal(formatName(subjectOf(der) ?? []), dn);
  fc.assert(
    fc.property(fc.nat({ max: der.length - 1 }), fc.nat({ max: 255 }), (offset, byte) => {
      const changed = Buffer.from(der);
      changed[offset] = byte;
      subjectOf(changed); // Whatever it says, it returns.
    }),
  );
});
