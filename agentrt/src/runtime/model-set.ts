import { type Log, modelErrors, type NamedModel, type System } from "../core/index.ts";

/**
 * Refuses providers that agents could not tell apart.
 *
 * @param models The providers of a runtime.
 * @throws AGENTRT_MODEL_DUPLICATE_NAME.
 */
export function checkModelNames(models: readonly NamedModel[]): void {
  const names = new Set<string>();
  for (const { name } of models) {
    if (names.has(name)) throw new modelErrors.DUPLICATE_NAME({ name });
    names.add(name);
  }
}

/**
 * Opens the providers, one after the other.
 *
 * @param models The providers of a runtime.
 * @param world Where they report, and the clock.
 * @throws What the first one throws that refuses.
 */
export async function openModels(
  models: readonly NamedModel[],
  { log, system }: { readonly log: Log; readonly system: System },
): Promise<void> {
  const nowMs = (): number => system.nowMs();
  for (const { name, provider } of models)
    await provider.open?.({ name, log: log.with({ model: name }), nowMs });
}

/**
 * Closes the providers. What one throws is logged and does not keep the others open.
 *
 * @param models The providers of a runtime.
 * @param log Where failures are reported.
 */
export async function closeModels(models: readonly NamedModel[], log: Log): Promise<void> {
  for (const { name, provider } of models) {
    try {
      await provider.close?.();
    } catch (error) {
      log.error("a model provider did not close", { model: name, error });
    }
  }
}
