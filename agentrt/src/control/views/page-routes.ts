import type { JsonObject } from "../../core/index.ts";
import type { GatewayResponse } from "../../gateway/index.ts";
import {
  type AgentRoute,
  type ControlRequest,
  type FeedPageBody,
  feedQuestions,
  feedWaitMs,
} from "../elsewhere/index.ts";
import {
  conditionBody,
  conditionQuestion,
  figuresBody,
  figuresQuestion,
} from "../figures/index.ts";
import { type Feed, lineBody, type LogLine, type ToldEvent } from "../observing/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { wholeNumberOf } from "../whole-number.ts";

/** Of one page; two such pages fit a message. */
const itemCountMax = 200;
const pageLengthMax = 262_144;

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
      // The supervisor's topology server says how many; a worker has none.
      view.observer.letters.keep(wholeNumberOf(queryParams["letters"] ?? "0") || 0);
      return await pageOf(view.observer.events, {
        epoch: view.observer.epoch,
        from: unseen,
        show: ({ entry, body }: ToldEvent) => ({ entry: entry ?? null, body }),
      });
    }),
    own(feedQuestions.logs, async ({ queryParams }) => await linesPage(view, queryParams)),
    {
      ...ownRoute(figuresQuestion),
      handle: () => ({ status: 200, body: figuresBody(view) }),
    },
    {
      ...ownRoute(conditionQuestion),
      handle: () => ({ status: 200, body: conditionBody(view) }),
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

/**
 * Takes a page of the log lines of this process.
 *
 * @param view The runtime of this process.
 * @param query `agent`, default of all; `recent`, for the latest so many without a wait; else `epoch` and `from`, for those
 *   behind a place.
 */
export async function linesPage(
  { observer }: Pick<RuntimeView, "observer">,
  query: { readonly [name: string]: string | undefined },
): Promise<FeedPageBody> {
  const { agent, epoch } = query;
  const { feed } = observer.logs;
  const wants = (line: LogLine): boolean => agent === undefined || line.agent === agent;
  const place = { epoch: observer.epoch, wants, show: lineBody };
  const recent = wholeNumberOf(query["recent"] ?? "");
  if (Number.isInteger(recent)) {
    const from = feed.numberOfLast(recent, wants);
    const page = { from, countMax: recent, lengthMax: Number.POSITIVE_INFINITY };
    return await pageOf(feed, { ...place, ...page, waitMs: 0 });
  }
  // Of a place in another run nobody knows what was behind it.
  const isOther = epoch !== observer.epoch;
  const from = isOther ? 1 : wholeNumberOf(query["from"] ?? "1") || 1;
  const page = await pageOf(feed, { ...place, from });
  return isOther ? { ...page, missed: null } : page;
}

async function pageOf<Item>(
  feed: Feed<Item>,
  of: {
    readonly epoch: string;
    readonly from: number;
    readonly wants?: (item: Item) => boolean;
    readonly show: (item: Item) => JsonObject;
    readonly countMax?: number;
    readonly lengthMax?: number;
    readonly waitMs?: number;
  },
): Promise<FeedPageBody> {
  const { epoch, from, show, wants = () => true, waitMs = feedWaitMs } = of;
  const { countMax = itemCountMax, lengthMax = pageLengthMax } = of;
  const shown = new Map<Item, JsonObject>();
  const lengthOf = (item: Item): number => {
    const data = show(item);
    shown.set(item, data);
    return JSON.stringify(data).length;
  };
  const page = await feed.page({ from, wants, countMax, lengthMax, lengthOf }, waitMs);
  return {
    epoch,
    next: page.next,
    missed: page.missedCount,
    items: page.items.map(({ number, item }) => ({ number, data: shown.get(item) ?? {} })),
  };
}
