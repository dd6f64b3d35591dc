import type { GatewayRequest, GatewayResponse } from "../../gateway/index.ts";

/** A route that shows something. */
export interface ViewRoute {
  /** Without prefix. */
  readonly path: string;
  readonly answer: (request: GatewayRequest) => GatewayResponse | Promise<GatewayResponse>;
}
