import type { GatewayRequest, GatewayResponse } from "../gateway/index.ts";
import { topologyBody } from "./bodies.ts";
import { askConditions } from "./elsewhere/index.ts";
import { type PlacedCircuit, wholeCircuits } from "./figures/index.ts";
import type { RuntimeView } from "./runtime-view.ts";

/** How long a tree is shown to others who ask for what has changed, milliseconds. */
const sharedMs = 1000;

/** What a tree is written from. */
type TreeView = Pick<RuntimeView, "circuits" | "elsewhere" | "observer" | "tree">;

/** A tree as it was written for somebody. */
interface WrittenTree {
  readonly revision: string | undefined;
  readonly atMs: number;
  readonly text: string;
}

/**
 * Makes what answers `GET /topology`. Of a tree of thousands it is a large text, and each event makes it another one: those who ask
 * with `since` get the same text for a second. Who asks without it gets the tree of that moment.
 *
 * @param view The running tree.
 * @param processId What to call the process that runs it.
 */
export function topologyAnswer(
  view: TreeView,
  processId: string,
): (request: Pick<GatewayRequest, "queryParams">) => Promise<GatewayResponse> {
  let latest: WrittenTree | undefined;
  return async ({ queryParams: { since } }) => {
    if (since !== undefined && since === revisionOf(view)) return { status: 204, body: undefined };
    const isShared = since !== undefined && since !== latest?.revision;
    if (isShared && latest?.revision !== undefined && isYoung(latest, view))
      return jsonText(latest.text);
    const circuits = await allCircuits(view);
    const revision = revisionOf(view);
    const body = topologyBody(view.tree(), { circuits, processId, revision });
    latest = { revision, atMs: view.observer.nowMs, text: JSON.stringify(body) };
    return jsonText(latest.text);
  };
}

function isYoung({ atMs }: WrittenTree, { observer }: TreeView): boolean {
  const ageMs = observer.nowMs - atMs;
  return ageMs >= 0 && ageMs < sharedMs;
}

function jsonText(text: string): GatewayResponse {
  return {
    status: 200,
    body: undefined,
    text,
    headers: { "content-type": "application/json" },
  };
}

/**
 * Names what is known of the tree: it is another one after each event. What happens on workers is not all known here, so
 * there a tree has none.
 */
function revisionOf({ observer, elsewhere }: TreeView): string | undefined {
  return elsewhere === undefined ? `${observer.epoch}-${observer.events.lastNumber}` : undefined;
}

/** The circuits of all processes; who has none asks nobody: all have the same policies. */
async function allCircuits(view: TreeView): Promise<readonly PlacedCircuit[]> {
  const own = view.circuits();
  return own.length === 0
    ? own
    : wholeCircuits(own, (await askConditions(view.elsewhere)).conditions);
}
