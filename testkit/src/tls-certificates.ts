import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** Paths of PEM files: a private CA, a server certificate for localhost, a client certificate, and a foreign CA's. */
export interface Certificates extends Disposable {
  readonly ca: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Signed by a CA that nothing trusts. */
  readonly foreignCertificate: string;
  readonly foreignKey: string;
}

/** What a certificate says, and which authority signs it. */
interface LeafOptions {
  readonly subject: string;
  readonly signer: string;
  readonly extensions: string;
}

/**
 * Makes certificates with openssl: P-256 keys, valid for a day.
 *
 * @param options.clientSubject Subject of the client certificate, default `/O=Test/CN=client`.
 * @param options.signer Certificates whose CA signs these as well. Default a new one.
 * @param options.isExpired The certificates of the server and the client ended a day ago.
 */
export function createCertificates(
  options: { clientSubject?: string; signer?: Pick<Certificates, "ca">; isExpired?: boolean } = {},
): Certificates {
  const folder = createTemporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const openssl = (...args: string[]): void => {
    execFileSync("openssl", args, { cwd: folder.path, stdio: ["ignore", "ignore", "pipe"] });
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const authority = (name: string): void =>
    openssl(
      "req",
      "-x509",
      ...newKey,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.pem`,
      "-days",
      "1",
      "-subj",
      `/CN=${name}`,
    );
  const leaf = (name: string, { subject, signer, extensions }: LeafOptions): void => {
    folder.write({ [`${name}.ext`]: extensions });
    openssl(
      "req",
      "-new",
      ...newKey,
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.csr`,
      "-subj",
      subject,
    );
    const request = ["x509", "-req", "-in", `${name}.csr`, "-extfile", `${name}.ext`];
    const authority = ["-CA", `${signer}.pem`, "-CAkey", `${signer}.key`, "-CAcreateserial"];
    const days = options.isExpired === true ? "-1" : "1";
    openssl(...request, ...authority, "-out", `${name}.pem`, "-days", days);
  };
  if (options.signer === undefined) authority("ca");
  else {
    copyFileSync(options.signer.ca, at("ca.pem"));
    copyFileSync(options.signer.ca.replace(/\.pem$/, ".key"), at("ca.key"));
  }
  authority("foreign-ca");
  leaf("server", {
    subject: "/CN=localhost",
    signer: "ca",
    extensions: "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1\nextendedKeyUsage=serverAuth\n",
  });
  const client = {
    subject: options.clientSubject ?? "/O=Test/CN=client",
    extensions: "extendedKeyUsage=clientAuth\n",
  };
  leaf("client", { ...client, signer: "ca" });
  leaf("foreign", { ...client, signer: "foreign-ca" });
  return {
    ca: at("ca.pem"),
    serverCertificate: at("server.pem"),
    serverKey: at("server.key"),
    clientCertificate: at("client.pem"),
    clientKey: at("client.key"),
    foreignCertificate: at("foreign.pem"),
    foreignKey: at("foreign.key"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
