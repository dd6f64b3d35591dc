import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clientCertFaults,
  type ClientCertSettings,
  clientCertWarnings,
} from "./client-cert-faults.ts";

const none: ClientCertSettings = {
  clientCertMode: "none",
  mtlsSource: "direct",
  trustedProxyCidrs: [],
  hasTlsAndAuthority: false,
  isRequired: false,
};
const direct: ClientCertSettings = {
  ...none,
  clientCertMode: "required",
  hasTlsAndAuthority: true,
  isRequired: true,
};
const forwarded: ClientCertSettings = {
  ...none,
  mtlsSource: "proxy_header",
  trustedProxyCidrs: ["10.0.0.0/8"],
  isRequired: true,
};

test("good settings have no faults and no warnings", () => {
  for (const settings of [none, direct, { ...direct, clientCertMode: "optional" }, forwarded]) {
    assert.deepEqual(clientCertFaults(settings as ClientCertSettings), []);
    assert.deepEqual(clientCertWarnings(settings as ClientCertSettings), []);
  }
});

test("clientCertFaults() refuses every setting that would not do what it says", () => {
  const rows: readonly (readonly [ClientCertSettings, string])[] = [
    [
      { ...direct, hasTlsAndAuthority: false },
      'client_cert_mode "required" needs tls_cert, tls_key and tls_ca_cert',
    ],
    [
      { ...forwarded, clientCertMode: "optional" },
      'client_cert_mode "optional" does not go with mtls_source "proxy_header": wanted none',
    ],
    [
      { ...forwarded, trustedProxyCidrs: [] },
      'mtls_source "proxy_header" needs trusted_proxy_cidrs: without them no header is believed',
    ],
    [
      { ...forwarded, isRequired: false },
      'mtls_source "proxy_header" needs the middleware agentrt.gateway.mtls.require_client_cert',
    ],
    [
      { ...forwarded, trustedProxyCidrs: ["10.0.0.0/8", "10.0.0.0/64"] },
      'trusted_proxy_cidrs "10.0.0.0/64" is not an IP range: wanted one such as 10.0.0.0/8',
    ],
  ];
  for (const [settings, fault] of rows) {
    const found = clientCertFaults(settings).map(({ key, reason }) => `${key} ${reason}`);
    assert.deepEqual(found, [fault]);
  }
});

test("clientCertWarnings() says what is odd and allowed", () => {
  const rows: readonly (readonly [ClientCertSettings, RegExp])[] = [
    [{ ...direct, isRequired: false }, /require_client_cert is not in the middleware/],
    [{ ...none, isRequired: true }, /refuses every request: client_cert_mode is none/],
    [{ ...forwarded, trustedProxyCidrs: ["0.0.0.0/0"] }, /every client is believed as a proxy is/],
  ];
  for (const [settings, expected] of rows) {
    const found = clientCertWarnings(settings);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? "", expected);
  }
});
