import { type JsonObject, printable } from "../../core/index.ts";
import type { CommandInput, CommandIo, FlagSpec } from "../command.ts";
import { cliErrors } from "../errors.ts";
import { safeJson } from "../safe-json.ts";
import { isApproval } from "./approval-text.ts";
import { controlQuestions } from "./control-questions.ts";
import { findApproval } from "./find-approval.ts";

/** What is said about a decision. */
export const noteFlag: FlagSpec = {
  name: "note",
  value: "text",
  summary: "what to say about it; the agent gets it, too",
};

/**
 * Decides about an approval, and prints what became of it.
 *
 * @param act Which way.
 * @param input With the argument `approvalArgument`, the flags `controlFlags` and `noteFlag`.
 * @param io Where the answer goes.
 * @param payload What is approved in place of the payload.
 * @returns The exit code.
 * @throws AGENTRT_CLI_NO_CONTROL_PLANE, AGENTRT_CLI_CONTROL_UNREACHABLE, AGENTRT_CLI_APPROVAL_REFUSED.
 */
// oxlint-disable-next-line max-params -- input and io come as they do to any command
export async function decide(
  act: "approve" | "deny",
  input: CommandInput,
  io: CommandIo,
  payload?: JsonObject,
): Promise<number> {
  const ask = await controlQuestions(input, io);
  const { id } = await findApproval(ask, input.argument("id"), act);
  const note = input.text("note");
  const answer = await ask(`/approvals/${encodeURIComponent(String(id))}/${act}`, {
    ...(note === undefined ? {} : { note }),
    ...(payload === undefined ? {} : { payload }),
  });
  if (answer.kind !== "body" || !isApproval(answer.body)) {
    const { refusalReason } = await import("../remote/index.ts");
    const reason = refusalReason(answer);
    throw new cliErrors.APPROVAL_REFUSED({ act, id: String(id), reason });
  }
  const { status, agent, kind, principal } = answer.body;
  const text = `${String(kind)} of "${String(agent)}" is ${String(status)} by ${String(principal)}`;
  io.print(
    input.isSet("json") ? `${safeJson(answer.body, { indent: 2 })}\n` : `${printable(text)}\n`,
  );
  return 0;
}
