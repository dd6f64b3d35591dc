import type { GatewayRequest } from "../../gateway/index.ts";

/** What the routes about agents look at of a request: all of it can go to another process. */
export type ControlRequest = Pick<
  GatewayRequest,
  "pathParams" | "queryParams" | "body" | "auth" | "requestId"
>;
