/** `agents.ts` of a project: an agent that answers everything. */
export const deskAgents = `
import { Agent } from "agentrt";

export class Desk extends Agent {
  override async handle() { return {}; }
}
`;

/** `guards.ts` of a project: whoever comes with a badge is who it says. */
export const badgeGuards = `
import type { Middleware } from "agentrt";

export const badge: Middleware = async (request, next) => {
  const name = request.headers["x-badge"];
  if (name === undefined) return { status: 401, body: { error: "who is it?" } };
  request.auth = { id: name };
  return await next(request);
};
`;
