import { useEffect } from "preact/hooks";
import type { HealthBody } from "../src/control/wire.ts";
import { healthAsked } from "./asked.ts";
import { useAsked } from "./poll.ts";
import { Store } from "./store.ts";

/** The health of the whole, as it was known last. */
export const health = new Store<HealthBody | undefined>(undefined);

/** Keeps `health` up to date; for one component that is always there. */
export function useHealth(): void {
  const { data } = useAsked<HealthBody>(healthAsked);
  useEffect(() => {
    if (data !== undefined) health.set(data);
  }, [data]);
}
