import type { JsonObject } from "../../core/index.ts";
import type { GatewayResponse } from "../../gateway/index.ts";
import {
  type AgentRoute,
  type ControlRequest,
  type FeedPageBody,
  feedQuestions,
  feedWaitMs,
} from "../elsewhere/index.ts";
import { figuresBody, figuresQuestion } from "../figures/index.ts";
import type { Feed, ToldEvent } from "../observing/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { wholeNumberOf } from "../whole-number.ts";

/** Of one page; two such pages fit a message. */
const itemCountMax = 200;
const lengthMax = 262_144;

/**
 * Makes what answers the process that has the tree for the events and the figures of this one.
 *
 * @param view The runtime of this process.
 */
export function pageRoutes(view: RuntimeView): AgentRoute[] {
  /** The first that it was not asked for again: a supervisor that comes later goes on there. */
  let unseen = 1;
  return [
    own(feedQuestions.events, async ({ queryParams }) => {
      const asked = wholeNumberOf(queryParams["from"] ?? "");
      if (Number.isInteger(asked)) unseen = asked;
      return await pageOf(view.observer.events, {
        epoch: view.observer.epoch,
        from: unseen,
        show: ({ entry, body }: ToldEvent) => ({ entry: entry ?? null, body }),
      });
    }),
    {
      ...ownRoute(figuresQuestion),
      handle: () => ({ status: 200, body: figuresBody(view) }),
    },
  ];
}

function ownRoute(key: string): Pick<AgentRoute, "method" | "path" | "about"> {
  return { method: "GET", path: key.slice("GET ".length), about: "all" };
}

function own(key: string, answer: (request: ControlRequest) => Promise<FeedPageBody>): AgentRoute {
  return {
    ...ownRoute(key),
    handle: async (request): Promise<GatewayResponse> => {
      const { items, ...rest } = await answer(request);
      return { status: 200, body: { ...rest, items: items.map((item) => ({ ...item })) } };
    },
  };
}

async function pageOf<Item>(
  feed: Feed<Item>,
  of: {
    readonly epoch: string;
    readonly from: number;
    readonly show: (item: Item) => JsonObject;
  },
): Promise<FeedPageBody> {
  const { epoch, from, show } = of;
  const shown = new Map<Item, JsonObject>();
  const lengthOf = (item: Item): number => {
    const data = show(item);
    shown.set(item, data);
    return JSON.stringify(data).length;
  };
  const wants = (): boolean => true;
  const page = await feed.page(
    { from, wants, countMax: itemCountMax, lengthMax, lengthOf },
    feedWaitMs,
  );
  return {
    epoch,
    next: page.next,
    missed: page.missedCount,
    items: page.items.map(({ number, item }) => ({ number, data: shown.get(item) ?? {} })),
  };
}
