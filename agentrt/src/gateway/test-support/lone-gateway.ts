import type { GatewayProcess } from "../request.ts";

/** The gateway of a test without a tree: there are no agents to reach. */
export const loneGateway: GatewayProcess = {
  name: "api",
  call: () => Promise.reject(new Error("there are no agents")),
  cast: () => Promise.reject(new Error("there are no agents")),
  hasAgent: () => false,
};
