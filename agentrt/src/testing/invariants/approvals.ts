import type { DecisionTried, Fact } from "../fact.ts";
import type { Invariant } from "../invariant.ts";

/** What is known of an approval from outside. */
interface Known {
  readonly agent: string;
  readonly payload: string;
  readonly tried: Set<DecisionTried>;
  isExpired: boolean;
  /** What its agent was given first. */
  given: string | undefined;
}

/**
 * No agent is given an approval but its own, which somebody has decided just so: by who is named, with the payload that was
 * approved. What was decided once stays so, what expired was approved by nobody, and one that is given again says so.
 */
export function approvalsHold(): Invariant {
  const known = new Map<string, Known>();
  return {
    name: "approvals-hold",
    onFact: (fact) => {
      switch (fact.type) {
        case "approvalAsked": {
          const { life, id, payload } = fact;
          const tried = new Set<DecisionTried>();
          if (known.has(id)) return `"${life.name}" gets the id ${id}, which was given before`;
          known.set(id, { agent: life.name, payload, tried, isExpired: false, given: undefined });
          return undefined;
        }
        case "approvalTried":
          known.get(fact.decision.id)?.tried.add(fact.decision);
          return undefined;
        case "approvalSettled":
          return settled(known.get(fact.decision.id), fact.decision);
        case "event": {
          const { event } = fact;
          const found = event.type === "approval.expired" ? known.get(event.id) : undefined;
          if (found !== undefined) found.isExpired = true;
          return undefined;
        }
        case "approvalGiven":
          return givenWrongly(known.get(fact.approval.id), fact);
        default:
          return undefined;
      }
    },
  };
}

function settled(found: Known | undefined, decision: DecisionTried): string | undefined {
  if (found === undefined || decision.outcome !== "done") return undefined;
  const { id, principal } = decision;
  const others = [...found.tried].filter((each) => each !== decision && each.outcome === "done");
  const [other] = others;
  if (other !== undefined) return `${id} was decided by ${other.principal} and by ${principal}`;
  if (found.isExpired) return `${id} has expired and was decided by ${principal}`;
  return undefined;
}

function givenWrongly(
  found: Known | undefined,
  { life, approval }: Fact & { readonly type: "approvalGiven" },
): string | undefined {
  const { id, status, principal, isRepeated } = approval;
  const whose = `"${life.name}" gets ${id}`;
  if (found === undefined) return `${whose}, for which nobody asked`;
  if (found.agent !== life.name) return `${whose}, for which "${found.agent}" asked`;
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
