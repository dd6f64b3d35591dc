import type { GatewayLog } from "./ports.ts";

/**
 * Names the client in each error, so that lines that one client brings about hide none of others.
 *
 * @param log The gateway's.
 * @param client Address of the immediate peer, without port.
 */
export function clientLog(log: GatewayLog, client: string): GatewayLog {
  return {
    warn: (message, fields) => log.warn(message, fields),
    error: (message, fields) => log.error(message, { ...fields, client }),
  };
}
