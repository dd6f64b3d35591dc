import { isLoopbackHost } from "../../gateway-settings/index.ts";
import type { Finding } from "./finding.ts";
import type { ListenerNode } from "./listener-nodes.ts";

/**
 * Says what of a topology is open to the network: reached from other machines, without anything of this package that
 * asks who comes, or without TLS.
 *
 * @param listeners The nodes.
 */
export function checkNetwork(listeners: readonly ListenerNode[]): Finding[] {
  return listeners.map(({ name, host, certs, isAuthenticated, serves }) => {
    const check = "network";
    const what = `"${name}" serves ${serves} at ${host}`;
    if (isLoopbackHost(host)) return { check, state: "ok", message: `${what}: only this machine` };
    if (!isAuthenticated)
      return {
        check,
        state: "warning",
        message: `${what}, and nothing of agentrt there asks who comes`,
        remedy: "bind it to 127.0.0.1, or authenticate: auth.middleware, or client certificates",
      };
    if (certs.tls === undefined)
      return {
        check,
        state: "warning",
        message: `${what} in clear text: credentials can be read on their way`,
        remedy: "set tls_cert and tls_key, or bind it to where a proxy with TLS reaches it",
      };
    return { check, state: "ok", message: `${what}, over TLS, with authentication` };
  });
}
