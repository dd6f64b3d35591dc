import { type JsonObject, TableError } from "../../core/index.ts";
import { type GatewayRequest, type GatewayResponse } from "../../gateway/index.ts";
import { principalOf } from "../principal.ts";
import { BodyFault } from "../write-body.ts";
import type { ApplyPort, ErrorMask, PlanPicture } from "./apply-port.ts";
import { applyBody, errorOf, planBody, readSentFiles } from "./plan-body.ts";
import type { ApplyBody } from "./wire-plan.ts";

/** A route about another topology. */
export interface ApplyRoute {
  readonly method: "GET" | "POST";
  /** Without prefix. */
  readonly path: string;
  readonly handle: (request: GatewayRequest) => Promise<GatewayResponse>;
}

/** Most problems of a file that an answer lists. */
const problemCountMax = 100;

/**
 * Makes the routes by which an operator puts another topology in place of the one that runs.
 *
 * @param port The runtime.
 * @param servedBy Nodes that serve these routes: where one of them restarts or stops, the answer comes before that.
 * @returns `POST /plan`, `POST /apply` and `GET /apply`.
 */
export function applyRoutes(
  port: ApplyPort & ErrorMask,
  servedBy: readonly string[],
): ApplyRoute[] {
  const post = (
    path: string,
    act: (request: GatewayRequest) => Promise<GatewayResponse>,
  ): ApplyRoute => ({
    method: "POST",
    path,
    handle: async (request) => {
      try {
        return await act(request);
      } catch (error) {
        return refusal(error, port);
      }
    },
  });
  return [
    post("/plan", async ({ body }) => {
      const plan = port.plan({ files: readSentFiles(body) });
      return { status: 200, body: asJson(planBody(plan)) };
    }),
    post("/apply", async (request) => {
      const source = { files: readSentFiles(request.body) };
      const plan = port.plan(source);
      const isApplying = (): boolean => port.applyState.status === "applying";
      const isBusy = isApplying();
      const applying = port.apply(source, { initiatedBy: principalOf(request) });
      // What is refused is refused before anything else is done.
      const isUnderWay = !isBusy && isApplying();
      if (isUnderWay && endsAny(plan, servedBy)) {
        // The gateway would wait for this answer before it stops: the end is told by `GET /apply`, and by the log.
        applying.catch(() => undefined);
        return answer(202, { ...applyBody(port), plan: planBody(plan) });
      }
      const { lateNames } = await applying;
      return answer(200, { ...applyBody(port), late: lateNames, plan: planBody(plan) });
    }),
    {
      method: "GET",
      path: "/apply",
      handle: async () => answer(200, applyBody(port)),
    },
  ];
}

function answer(status: number, body: ApplyBody): GatewayResponse {
  return { status, body: asJson(body) };
}

function endsAny({ nodes }: PlanPicture, names: readonly string[]): boolean {
  return nodes.some(
    ({ name, act }) => names.includes(name) && (act === "restart" || act === "stop"),
  );
}

function refusal(error: unknown, { observer }: ErrorMask): GatewayResponse {
  if (error instanceof BodyFault) return { status: 400, body: { error: error.message } };
  if (!(error instanceof TableError)) throw error;
  const { problems } = error.details as { readonly problems?: unknown };
  const told = asJson(errorOf(error, observer.redactor));
  if (Array.isArray(problems)) {
    const texts = (problems as readonly unknown[]).slice(0, problemCountMax).map(problemText);
    return { status: 400, body: { ...told, problems: texts } };
  }
  const isOfFile = /^AGENTRT_(?:TOPOLOGY|COMPOSITION|PLUGIN|OPTION|MODEL)_/.test(error.code);
  return { status: isOfFile ? 400 : statusOf(error.httpStatus), body: told };
}

/** What only starts showed is a conflict with the world, and no fault of the control plane. */
function statusOf(httpStatus: number): number {
  return httpStatus >= 500 && httpStatus !== 503 ? 409 : httpStatus;
}

function problemText(problem: unknown): string {
  const { fileName, line1, column1, path, message } = problem as {
    readonly [key: string]: string | number;
  };
  const place = path === "" ? "" : `${path}: `;
  return `${fileName}:${line1}:${column1}: ${place}${message}`;
}

function asJson(body: object): JsonObject {
  return body as JsonObject;
}
