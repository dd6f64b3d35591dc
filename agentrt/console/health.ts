import { useEffect } from "preact/hooks";
import type { HealthBody } from "../src/control/wire.ts";
import { usePoll } from "./poll.ts";
import { Store } from "./store.ts";

/** The health of the whole, as it was known last. */
export const health = new Store<HealthBody | undefined>(undefined);

/** Keeps `health` up to date; for one component that is always there. */
export function useHealth(): void {
  const { data } = usePoll<HealthBody>("/health", 3000);
  useEffect(() => {
    if (data !== undefined) health.set(data);
  }, [data]);
}
