import { supervisionErrors } from "../../core/index.ts";
import type { GatewayRequest } from "../../gateway/index.ts";
import type { CountedWhole } from "../figures/index.ts";
import type { RuntimeView } from "../runtime-view.ts";
import { agentFamilies } from "./agent-families.ts";
import { familiesText } from "./family-text.ts";
import { gatewayFamilies, processesFamilies } from "./process-families.ts";

/** Where the scraper does not say how long it waits, milliseconds. */
const waitMsDefault = 4000;

/**
 * Says how long the workers may take for a scrape: half of what the scraper waits, as Prometheus says it.
 *
 * @returns 100 to 10 000 milliseconds.
 */
export function scrapeWaitMs({ headers }: Pick<GatewayRequest, "headers">): number {
  const seconds = Number(headers["x-prometheus-scrape-timeout-seconds"]);
  const waitMs = seconds > 0 ? seconds * 500 : waitMsDefault;
  return Math.min(10_000, Math.max(100, waitMs));
}

/**
 * Writes what the processes of a topology count as Prometheus scrapes it.
 *
 * @param view The process that has the tree, and the gateways.
 * @param whole The figures of all.
 * @returns Lines; the last one ends with a line feed.
 */
export function metricsText(view: RuntimeView, whole: CountedWhole): string {
  const snapshot = whole.snapshot();
  const usage = view.processUsage();
  return familiesText([
    ...agentFamilies(
      { snapshot, agents: view.observer.series.of(snapshot) },
      whole.tree(),
      (name) => oldestMsOf(whole, name),
      usage.nowMs,
    ),
    ...gatewayFamilies(view.requestMetrics()),
    ...processesFamilies({ ...snapshot, usage }, whole.workers),
  ]);
}

function oldestMsOf(whole: CountedWhole, name: string): number | null {
  try {
    return whole.activity(name).oldestMs;
  } catch (error) {
    // It may have gone since the picture of the tree was made.
    if (error instanceof supervisionErrors.UNKNOWN_NAME) return null;
    throw error;
  }
}
