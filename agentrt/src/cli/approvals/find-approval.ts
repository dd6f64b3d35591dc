import { didYouMean } from "../../core/index.ts";
import { cliErrors } from "../errors.ts";
import type { ControlAnswer } from "../remote/index.ts";
import { approvalsIn, isApproval, type ToldApproval, type ToldApprovals } from "./approval-text.ts";
import type { Ask } from "./control-questions.ts";

const pageCountMax = 20;
const shownCountMax = 5;

/**
 * Finds an approval by its id, or by the beginning of it where no other one begins so.
 *
 * @param ask Asks the control plane.
 * @param text What was typed.
 * @param act What is to be done, for the error.
 * @throws AGENTRT_CLI_APPROVAL_REFUSED.
 */
export async function findApproval(ask: Ask, text: string, act: string): Promise<ToldApproval> {
  const refuse = (reason: string): never => {
    throw new cliErrors.APPROVAL_REFUSED({ act, id: text, reason });
  };
  const answer = await ask(`/approvals/${encodeURIComponent(text.toWellFormed())}`);
  if (answer.kind === "body")
    return isApproval(answer.body) ? answer.body : refuse("its answer makes no sense");
  // 503: it may be where nothing can be read for now.
  if (answer.kind !== "status" || ![404, 503].includes(answer.status))
    refuse(await reasonOf(answer));
  const { approvals: all } = await listApprovals(ask, "");
  const ids = all.map(({ id }) => String(id));
  const begun = all.filter(({ id }) => text !== "" && String(id).startsWith(text));
  const [only] = begun;
  if (only !== undefined && begun.length === 1) return only;
  if (begun.length === 0 && answer.kind === "status" && answer.status === 503)
    return refuse(await reasonOf(answer));
  if (begun.length === 0) return refuse(`there is none of that id${didYouMean(text, ids)}`);
  const shown = begun.slice(0, shownCountMax).map(({ id }) => String(id));
  const rest = begun.length > shown.length ? `, and ${begun.length - shown.length} more` : "";
  return refuse(`${begun.length} begin so: ${shown.join(", ")}${rest}`);
}

/**
 * Lists approvals, all pages of them.
 *
 * @param query Filters: `&status=pending`.
 * @throws AGENTRT_CLI_APPROVAL_REFUSED.
 */
export async function listApprovals(ask: Ask, query: string): Promise<Omit<ToldApprovals, "next">> {
  const refuse = (reason: string): never => {
    throw new cliErrors.APPROVAL_REFUSED({ act: "list", id: "approvals", reason });
  };
  const approvals: ToldApproval[] = [];
  const unreadGroups = new Set<string>();
  let after = "";
  for (let count = 0; count < pageCountMax; count += 1) {
    const answer = await ask(`/approvals?limit=1000${query}${after}`);
    if (answer.kind !== "body") return refuse(await reasonOf(answer));
    const page = approvalsIn(answer.body);
    if (page === undefined) return refuse("its answer is not a list of approvals");
    approvals.push(...page.approvals);
    for (const group of page.unreadGroups) unreadGroups.add(group);
    if (page.next === undefined) break;
    after = `&after=${encodeURIComponent(page.next)}`;
  }
  return { approvals, unreadGroups: [...unreadGroups] };
}

async function reasonOf(answer: ControlAnswer): Promise<string> {
  const { refusalReason } = await import("../remote/index.ts");
  return refusalReason(answer);
}
