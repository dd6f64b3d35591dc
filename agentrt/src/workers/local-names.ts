import type { Registration, Registry } from "../core/index.ts";
import { type Exchange, RemoteAddress } from "../links/index.ts";

/**
 * Lets messages of other processes reach the names of this one, those that come later included.
 *
 * @param onFailed Called for a name that the link could not take.
 * @returns Ends it.
 */
export async function hostLocalNames(
  registry: Registry,
  exchange: Exchange,
  onFailed: (name: string, error: unknown) => void,
): Promise<() => void> {
  const host = async (name: string): Promise<void> => {
    try {
      await exchange.host(name);
    } catch (error) {
      onFailed(name, error);
    }
  };
  const end = registry.onChange((change, registration) => {
    if (!isLocal(registration)) return;
    if (change === "registered") void host(registration.name);
    else exchange.unhost(registration.name);
  });
  const local = registry.list().filter(isLocal);
  await Promise.all(local.map(async ({ name }) => await host(name)));
  return end;
}

function isLocal({ address }: Registration): boolean {
  return address !== undefined && !(address instanceof RemoteAddress);
}
