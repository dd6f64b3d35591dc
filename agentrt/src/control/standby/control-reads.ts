import type { JsonObject } from "../../core/index.ts";
import { errorResponse, type GatewayRequest, type Route } from "../../gateway/index.ts";
import { answerElsewhere, type ControlRequest } from "../elsewhere/index.ts";
import type { AgentRoute } from "../elsewhere/index.ts";

/** What the control plane of a supervisor that leads tells those that wait: all of its routes that change nothing. */
export class ControlReads {
  readonly #routes = new Map<string, readonly AgentRoute[]>();
  #answer = answerElsewhere([]);

  /**
   * Offers the routes of a topology server, in place of those that it had.
   *
   * @param server Its name.
   * @param routes As they are before anybody is authenticated: who waits has done that.
   * @param prefix What goes before their paths.
   */
  offer(server: string, routes: readonly Route[], prefix: string): void {
    const reads = routes.filter(({ method }) => method === "GET");
    this.#routes.set(
      server,
      reads.map(({ path, handle }): AgentRoute => ({
        method: "GET",
        path: pathOf(server, path.slice(prefix.length)),
        about: "all",
        handle: async (request) => {
          const answer = await handle(asGatewayRequest(request, path));
          const goesOn = answer.stream !== undefined || answer.chunks !== undefined;
          return goesOn ? errorResponse(503, "only the supervisor that leads has streams") : answer;
        },
      })),
    );
    this.#answer = answerElsewhere([...this.#routes.values()].flat());
  }

  /** Answers a question of `standbyRoutes`. */
  async answer(question: JsonObject): Promise<JsonObject> {
    return await this.#answer(question);
  }
}

/** @returns How a route of a topology server is called in a question. */
export function pathOf(server: string, path: string): string {
  return `${encodeURIComponent(server)} ${path}`;
}

/** The routes of a control plane look at nothing else. */
function asGatewayRequest(request: ControlRequest, path: string): GatewayRequest {
  const rest: Partial<GatewayRequest> = { method: "GET", path, headers: {}, clientIp: "" };
  return { ...rest, ...request } as GatewayRequest;
}
