import type { Registration, Registry } from "../core/index.ts";
import { type Exchange, RemoteAddress } from "../links/index.ts";

/** The names of this process, as others reach them. */
export interface LocalNames {
  /** Settles when others reach a name, or it is known that they do not; at once for one that is not of this process. */
  isReached(name: string): Promise<void>;
  /** Ends it. */
  end(): void;
}

/**
 * Lets messages of other processes reach the names of this one, those that come later included.
 *
 * @param onFailed Called for a name that the link could not take.
 */
export async function hostLocalNames(
  registry: Registry,
  exchange: Exchange,
  onFailed: (name: string, error: unknown) => void,
): Promise<LocalNames> {
  const coming = new Map<string, Promise<void>>();
  const host = async (name: string): Promise<void> => {
    try {
      await exchange.host(name);
    } catch (error) {
      onFailed(name, error);
    }
  };
  const end = registry.onChange((change, registration) => {
    if (!isLocal(registration)) return;
    const { name } = registration;
    if (change === "deregistered") {
      coming.delete(name);
      exchange.unhost(name);
      return;
    }
    const hosted = host(name).finally(() => {
      if (coming.get(name) === hosted) coming.delete(name);
    });
    coming.set(name, hosted);
  });
  const local = registry.list().filter(isLocal);
  await Promise.all(local.map(async ({ name }) => await host(name)));
  return { end, isReached: async (name) => await coming.get(name) };
}

function isLocal({ address }: Registration): boolean {
  return address !== undefined && !(address instanceof RemoteAddress);
}
