import { type ArgumentSchema, type ControlTool, textIn } from "./control-tool.ts";
import type { JsonObject } from "../../core/index.ts";
import { asObject, query } from "./read-tools.ts";

const id: ArgumentSchema = {
  type: "string",
  description: "Id of the approval, from list_approvals",
};
const note: ArgumentSchema = { type: "string", description: "Why; it is kept with the decision" };
const decided = { id: { type: "string" }, status: { type: "string" } } as const;

/** The path of one approval. */
function approvalRoute(input: JsonObject): string {
  return `/approvals/${encodeURIComponent(textIn(input, "id").toWellFormed())}`;
}

/** Tools about what waits for a person's decision. */
export const approvalTools: readonly ControlTool[] = [
  {
    name: "list_approvals",
    title: "List approvals",
    description:
      "What agents ask a person to approve: kind, payload, since when and until when, and decisions",
    kind: "read",
    input: {
      agent: { type: "string", description: "Only of this agent" },
      status: {
        type: "string",
        description: "Only in this state: pending, approved, denied, expired",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 1000,
        description: "At most this many; default 100",
      },
    },
    output: { approvals: { type: "array", items: { type: "object" } } },
    run: async ({ agent, status, limit }, port) =>
      asObject(await port.get(`/approvals${query({ agent, status, limit })}`)),
  },
  {
    name: "show_approval",
    title: "Show an approval",
    description:
      "One approval: what is asked, the schema an edited payload has to fit, and the decision",
    kind: "read",
    input: { id },
    required: ["id"],
    output: decided,
    run: async (input, port) => asObject(await port.get(approvalRoute(input))),
  },
  {
    name: "approve",
    title: "Approve",
    description:
      "Grants what an agent asks for, once; with an edited payload where its schema allows one",
    kind: "write",
    isDestructive: true,
    input: {
      id,
      note,
      payload: { type: "object", description: "In place of the one that is asked for" },
    },
    required: ["id"],
    output: decided,
    run: async ({ id: asked = "", ...body }, port) =>
      asObject(await port.post(`${approvalRoute({ id: asked })}/approve`, body)),
  },
  {
    name: "deny",
    title: "Deny",
    description: "Refuses what an agent asks for, once",
    kind: "write",
    isDestructive: true,
    input: { id, note },
    required: ["id"],
    output: decided,
    run: async ({ id: asked = "", ...body }, port) =>
      asObject(await port.post(`${approvalRoute({ id: asked })}/deny`, body)),
  },
];
