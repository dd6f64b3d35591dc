import { type AuditHead, auditStateKey, readHead } from "../../audit/index.ts";
import type { JsonObject } from "../../core/index.ts";
import { openStates, readStateAddress } from "../../state/index.ts";
import { cliErrors } from "../errors.ts";
import { shownState } from "../states/index.ts";

/**
 * Reads the head of an audit log from a state store, also while a topology runs on it.
 *
 * @param text Path or URL of the store.
 * @throws AGENTRT_CLI_AUDIT_NO_HEAD; AGENTRT_STATE_*.
 */
export async function storedHead(text: string): Promise<AuditHead> {
  const refuse = (reason: string): never => {
    throw new cliErrors.AUDIT_NO_HEAD({ store: text, reason });
  };
  const address = readStateAddress(text, { argument: "--db", isPathAllowed: true });
  const states = openStates(address, { access: "look" });
  if (states === undefined) return refuse("there is no such file");
  try {
    for await (const { agent, text: saved } of states.rows()) {
      if (agent !== auditStateKey) continue;
      const shown = shownState(saved);
      if (typeof shown !== "object") return refuse("it is encrypted, or damaged");
      return readHead(shown as JsonObject) ?? refuse("it is damaged");
    }
  } finally {
    await states.close();
  }
  return refuse("it has none");
}
