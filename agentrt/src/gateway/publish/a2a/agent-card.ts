import type { JsonObject } from "../../../core/index.ts";
import type { PublishedAgent } from "../published-agent.ts";

/** What is said of one agent, or of all of a gateway. */
export interface CardInit {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Where it is spoken to. */
  readonly url: string;
  readonly agents: readonly PublishedAgent[];
  /** Paths of the middleware of this package that is in front of it. */
  readonly guards: readonly string[];
}

const json = "application/json";
const text = "text/plain";
const binding = "JSONRPC";

/**
 * Writes an agent card as version 1.0 of the protocol has it, with the fields that clients of 0.3 look for.
 *
 * @param init Of what.
 */
export function agentCard(init: CardInit): JsonObject {
  const { name, description, version, url, agents, guards } = init;
  const guard = guardOf(guards);
  return {
    name,
    description,
    version,
    supportedInterfaces: [
      { url, protocolBinding: binding, protocolVersion: "1.0" },
      { url, protocolBinding: binding, protocolVersion: "0.3" },
    ],
    protocolVersion: "0.3.0",
    url,
    preferredTransport: binding,
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
    defaultInputModes: [json, text],
    defaultOutputModes: [json, text],
    skills: agents.map((agent) => ({
      id: agent.name,
      name: agent.name,
      description: agent.description,
      tags: ["agentrt"],
    })),
    ...(guard === undefined
      ? {}
      : {
          securitySchemes: { [guard.name]: guard.scheme },
          securityRequirements: [{ schemes: { [guard.name]: { list: [] } } }],
          security: [{ [guard.name]: [] }],
        }),
  };
}

/** How clients show who they are; each scheme has the form of both versions. What a user's function asks for nobody knows. */
function guardOf(
  guards: readonly string[],
): { readonly name: string; readonly scheme: JsonObject } | undefined {
  const bearer = { scheme: "bearer", bearerFormat: "JWT" };
  const key = { location: "header", name: "X-API-Key" };
  const known: { readonly [path: string]: { name: string; scheme: JsonObject } } = {
    "agentrt.gateway.jwt_auth.require_jwt": {
      name: "bearer",
      scheme: { type: "http", ...bearer, httpAuthSecurityScheme: bearer },
    },
    "agentrt.gateway.auth.require_api_key": {
      name: "apiKey",
      scheme: { type: "apiKey", in: "header", name: key.name, apiKeySecurityScheme: key },
    },
    "agentrt.gateway.mtls.require_client_cert": {
      name: "mtls",
      scheme: { type: "mutualTLS", mtlsSecurityScheme: {} },
    },
  };
  const path = guards.find((guard) => Object.hasOwn(known, guard));
  return path === undefined ? undefined : known[path];
}
