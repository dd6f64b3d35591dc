import type { ApprovalEvent, RuntimeEvent } from "../../core/index.ts";
import type { DecisionTried, Fact } from "../fact.ts";
import type { Invariant } from "../invariant.ts";

/** What is known of an approval from outside. An agent may hear of its id later than others do, and crash before that. */
interface Known {
  /** Who has got the id for what it asked, and what that was, as JSON. */
  asked: { readonly agent: string; readonly payload: string } | undefined;
  /** Who waits for it, as the runtime says. */
  waiting: string | undefined;
  readonly tried: Set<DecisionTried>;
  /** Wall clock; infinite until its agent has paused for it. */
  expiresAtMs: number;
  isExpired: boolean;
  /** What its agent was given first. */
  given: string | undefined;
}

/**
 * No agent is given an approval but its own, which somebody has decided just so: by who is named, with the payload that was
 * approved. What was decided once stays so, what is over its time was approved by nobody, and one that is given again says
 * so.
 */
export function approvalsHold(): Invariant {
  const known = new Map<string, Known>();
  const knownOf = (id: string): Known => {
    let found = known.get(id);
    if (found === undefined) {
      const open = { asked: undefined, waiting: undefined, isExpired: false, given: undefined };
      found = { ...open, tried: new Set(), expiresAtMs: Number.POSITIVE_INFINITY };
      known.set(id, found);
    }
    return found;
  };
  return {
    name: "approvals-hold",
    onFact: (fact) => {
      switch (fact.type) {
        case "approvalAsked": {
          const { life, id, payload } = fact;
          const found = knownOf(id);
          if (found.asked !== undefined) return `"${life.name}" gets the id ${id} of another act`;
          found.asked = { agent: life.name, payload };
          return undefined;
        }
        case "approvalTried":
          knownOf(fact.decision.id).tried.add(fact.decision);
          return undefined;
        case "approvalSettled":
          return settled(knownOf(fact.decision.id), fact.decision);
        case "event":
          return isApprovalEvent(fact.event)
            ? toldOf(knownOf(fact.event.id), fact.event)
            : undefined;
        case "approvalGiven":
          return givenWrongly(knownOf(fact.approval.id), fact);
        default:
          return undefined;
      }
    },
  };
}

function isApprovalEvent(event: RuntimeEvent): event is ApprovalEvent {
  return event.type.startsWith("approval.") && event.type !== "approval.unreadable";
}

function toldOf(found: Known, event: ApprovalEvent): string | undefined {
  if (event.type === "approval.requested") {
    found.waiting = event.name;
    found.expiresAtMs = event.expiresAtMs;
  } else if (event.type === "approval.expired") found.isExpired = true;
  else if (event.atMs > found.expiresAtMs)
    return `${event.id} is over its time, and is decided by ${event.principal}`;
  return undefined;
}

function settled(found: Known, decision: DecisionTried): string | undefined {
  if (decision.outcome !== "done") return undefined;
  const { id, principal } = decision;
  const others = [...found.tried].filter((each) => each !== decision && each.outcome === "done");
  const [other] = others;
  if (other !== undefined) return `${id} was decided by ${other.principal} and by ${principal}`;
  if (found.isExpired) return `${id} has expired and was decided by ${principal}`;
  return undefined;
}

function givenWrongly(
  found: Known,
  { life, approval }: Fact & { readonly type: "approvalGiven" },
): string | undefined {
  const { id, status, principal, isRepeated } = approval;
  const whose = `"${life.name}" gets ${id}`;
  const owner = found.asked?.agent ?? found.waiting;
  if (owner !== life.name) return `${whose}, for which ${owner ?? "nobody"} asked`;
  const askedPayload = JSON.stringify(approval.askedPayload);
  if (askedPayload !== (found.asked?.payload ?? askedPayload))
    return `${whose} for ${askedPayload}, and asked for ${found.asked?.payload}`;
  const payload = JSON.stringify(approval.payload);
  const shown = JSON.stringify([status, principal, payload]);
  if (found.given !== undefined && found.given !== shown)
    return `${whose} as ${shown}, after ${found.given}`;
  if (found.given !== undefined && !isRepeated) return `${whose} again, and is not told so`;
  found.given = shown;
  if (status === "expired") return found.isExpired ? undefined : `${whose}, which has not expired`;
  const wanted = status === "approved" ? payload : undefined;
  const isDecided = [...found.tried].some(
    (each) => each.outcome !== "refused" && each.principal === principal && each.payload === wanted,
  );
  return isDecided ? undefined : `${whose} as ${shown}, and nobody has decided so`;
}
