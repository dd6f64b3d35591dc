/** Links over a real NATS server with TLS and nkeys: who is let in, and what is said of who is not. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { type Certificates, createCertificates, skipUnless, startNats } from "testkit";
import { createRealSystem } from "../../core/index.ts";
import type { NatsSettings } from "../../nats/index.ts";
import { NatsLink, type NatsLinkEvent } from "../index.ts";

const skip = skipUnless("nats-server", "openssl");

function linkTo(settings: NatsSettings, onEvent: (event: NatsLinkEvent) => void = () => undefined) {
  return new NatsLink({ ...settings, name: "test", system: createRealSystem(), onEvent });
}

/** Lets a message come back over the server. */
async function assertServed(settings: NatsSettings): Promise<void> {
  const link = linkTo(settings);
  await link.start();
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  await link.subscribe("here", resolve);
  link.publish("here", Uint8Array.of(1, 2));
  assert.deepEqual([...(await promise)], [1, 2]);
  await link.stop();
}

async function assertRefused(settings: NatsSettings, reason: RegExp): Promise<void> {
  const waits: NatsLinkEvent[] = [];
  const link = linkTo(settings, (event) => waits.push(event));
  await assert.rejects(link.start(), {
    code: "AGENTRT_LINK_REFUSED",
    isRetryable: false,
    message: new RegExp(
      `^Cannot connect over nats to nats://127\\.0\\.0\\.1:\\d+: ${reason.source}`,
    ),
  });
  assert.deepEqual(waits, []);
  await link.stop();
}

function tlsLines({ serverCertificate, serverKey, ca }: Certificates, isVerified: boolean): string {
  return `tls {
  cert_file: "${serverCertificate}"
  key_file: "${serverKey}"
  ca_file: "${ca}"
  verify: ${isVerified}
}`;
}

test(
  "nats over TLS: who has the certificates is let in, and anybody else is refused with the reason",
  { skip },
  async () => {
    using certificates = createCertificates();
    using others = createCertificates();
    using expired = createCertificates({ isExpired: true, signer: certificates });
    const { ca, clientCertificate: cert, clientKey: key } = certificates;
    const server = await startNats({ configuration: tlsLines(certificates, true) });
    const servers = [server.url];
    try {
      await assertServed({ servers, tls: { ca, cert, key } });
      const unknown = /its certificate is not signed by the authority in `ca`/;
      await assertRefused({ servers, tls: { ca: others.ca, cert, key } }, unknown);
      await assertRefused({ servers }, unknown);
      await assertRefused(
        { servers, tls: { ca } },
        /it wants a client certificate: give `cert` and `key`/,
      );
      const foreign = { cert: certificates.foreignCertificate, key: certificates.foreignKey };
      await assertRefused(
        { servers, tls: { ca, ...foreign } },
        /it does not take the certificate in `cert`/,
      );
      const old = { cert: expired.clientCertificate, key: expired.clientKey };
      await assertRefused(
        { servers, tls: { ca, ...old } },
        /the certificate in `cert` has expired/,
      );
      const mixed = { cert, key: certificates.foreignKey };
      await assertRefused(
        { servers, tls: { ca, ...mixed } },
        /`cert` and `key` do not belong together/,
      );

      await server.stop();
      await server.start(tlsLines({ ...expired, ca }, false));
      await assertRefused({ servers, tls: { ca } }, /its certificate has expired/);
      await server.stop();
      await server.start("");
      await assertRefused({ servers, tls: { ca } }, /TLS is wanted, and it has none/);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  },
);

test(
  "nats with nkeys: the key that the server knows is let in, any other one is refused",
  { skip },
  async () => {
    const [own, other] = [newKey(), newKey()];
    const configuration = `authorization { users: [ { nkey: ${own.publicKey} } ] }`;
    await using server = await startNats({ configuration });
    const servers = [server.url];
    await assertServed({ servers, nkeySeed: own.seed });
    const refused = /it refuses the nkey, the user or the password/;
    await assertRefused({ servers, nkeySeed: other.seed }, refused);
    await assertRefused({ servers }, refused);
    await assertRefused({ servers, nkeySeed: `SU${"A".repeat(56)}` }, /`nkey_seed` holds no seed/);
  },
);

test(
  "nats: a server that is not there yet is waited for, with a line for each try",
  { skip },
  async () => {
    const server = await startNats();
    await server.stop();
    const servers = ["nats://127.0.0.1:1", server.url];
    const waits: NatsLinkEvent[] = [];
    const again = Promise.withResolvers<void>();
    const link = linkTo({ servers }, (event) => {
      waits.push(event);
      if (waits.length === 2) again.resolve();
    });
    const starting = link.start();
    await again.promise;
    await server.start();
    await starting;
    const where = servers.join(", ");
    assert.deepEqual(waits.slice(0, 2), [
      { kind: "waiting", where, reason: "connection refused" },
      { kind: "waiting", where, reason: "connection refused" },
    ]);
    await link.stop();
    await server.stop();

    const late = new NatsLink({
      servers,
      connectTimeoutMs: 600,
      name: "test",
      system: createRealSystem(),
      onEvent: () => undefined,
    });
    await assert.rejects(late.start(), {
      code: "AGENTRT_LINK_UNREACHABLE",
      message: `Cannot connect over nats to ${where}: connection refused`,
    });
    const left = linkTo({ servers });
    const waiting = left.start();
    await left.stop();
    await assert.rejects(waiting, { code: "AGENTRT_LINK_UNREACHABLE" });
    await server[Symbol.asyncDispose]();
  },
);

/** The keys of a user, by the library of the client. */
function newKey(): { readonly publicKey: string; readonly seed: string } {
  const { nkeys } = createRequire(import.meta.url)("@nats-io/transport-node") as {
    readonly nkeys: {
      createUser(): { getPublicKey(): string; getSeed(): Uint8Array };
    };
  };
  const pair = nkeys.createUser();
  return { publicKey: pair.getPublicKey(), seed: new TextDecoder().decode(pair.getSeed()) };
}
