/** A case that fails and stays so: whose it is, and why. */
interface Decision {
  /** Name of the judge, or its beginning. */
  readonly judge: string;
  /** Beginning of the case's name. */
  readonly name: string;
  readonly reason: string;
}

const closedStream =
  "frames for a stream that is closed are ignored, as RFC 9113 section 5.1 allows for the time in which they may be on their way; nghttp2 keeps no list of streams long closed. A flood of them is counted and ends the connection";
const priority =
  "RFC 9113 section 5.3 took priorities out of HTTP/2; nghttp2 reads no PRIORITY frame any more, a wrong one included. A flood of them ends the connection";
const ownCertificate = "the certificate is the judge's own, made for a day";

/** Every failure that is not a defect. */
export const decisions: readonly Decision[] = [
  { judge: "h2spec", name: "http2/5.1/5", reason: closedStream },
  { judge: "h2spec", name: "http2/5.1/6", reason: closedStream },
  { judge: "h2spec", name: "http2/5.1/8", reason: closedStream },
  { judge: "h2spec", name: "http2/5.1/9", reason: closedStream },
  { judge: "h2spec", name: "http2/5.1/11", reason: closedStream },
  { judge: "h2spec", name: "http2/5.1/12", reason: closedStream },
  { judge: "h2spec", name: "http2/6.1/2", reason: closedStream },
  { judge: "h2spec", name: "http2/5.1.1/2", reason: closedStream },
  { judge: "h2spec", name: "http2/5.3.1/2", reason: priority },
  { judge: "h2spec", name: "http2/6.3/1", reason: priority },
  {
    judge: "h2spec",
    name: "http2/6.7/2",
    reason:
      "an answer to a ping nobody sent ends the connection: Node takes it for an error, and no good client sends one",
  },
  {
    judge: "h2spec",
    name: "http2/6.9.1/3",
    reason:
      "the connection is closed where only the stream could be: RFC 9113 section 5.4.2 allows it",
  },
  {
    judge: "h2spec in clear text",
    name: "http2/3.5/2",
    reason:
      "the port serves HTTP/1.1 as well: what is not a preface of HTTP/2 is answered as HTTP/1.1, with 400, and closed",
  },
  ...["9.3.1", "9.3.2", "9.3.3", "9.4.1", "9.4.2", "9.4.3"].map((name) => ({
    judge: "Autobahn",
    name: `${name} `,
    reason:
      "a message may have 1 024 fragments; more are a way to make a server keep much of little, and close with 1008",
  })),
  {
    judge: "gtlsclient",
    name: "an address that changes",
    reason:
      "moving to another address is not offered: OpenSSL's QUIC answers to the address that a connection began with; the client connects again",
  },
  { judge: "testssl.sh", name: "cert_chain_of_trust", reason: ownCertificate },
  { judge: "testssl.sh", name: "cert_expirationStatus", reason: ownCertificate },
  { judge: "testssl.sh", name: "cert_notAfter", reason: ownCertificate },
  { judge: "testssl.sh", name: "cert_revocation", reason: ownCertificate },
  { judge: "testssl.sh", name: "DNS_CAArecord", reason: ownCertificate },
  {
    judge: "testssl.sh",
    name: "HSTS",
    reason:
      "whether a name is served only over TLS is its owner's decision: a middleware adds the header",
  },
  {
    judge: "testssl.sh",
    name: "security_headers",
    reason:
      "the responses are JSON of an API; the one page there is, the API's description, has a strict content security policy",
  },
];

/**
 * Says why a failure is not a defect.
 *
 * @returns `undefined` where nothing was decided: then it is one.
 */
export function reasonFor(judge: string, name: string): string | undefined {
  return decisions.find(
    (each) =>
      judge.startsWith(each.judge) &&
      `${name} `.startsWith(each.name.endsWith(" ") ? each.name : `${each.name} `),
  )?.reason;
}
