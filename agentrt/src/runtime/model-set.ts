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
 * Warns of default models that a budget in USD will refuse.
 *
 * @param models The providers of a runtime.
 * @param found.isBudgetInUsd Whether any node has such a budget.
 * @param found.log Where it warns.
 */
export function warnUnpriced(
  models: readonly NamedModel[],
  { isBudgetInUsd, log }: { readonly isBudgetInUsd: boolean; readonly log: Log },
): void {
  if (!isBudgetInUsd) return;
  for (const { name, provider } of models) {
    const { defaultModel } = provider;
    if (defaultModel === undefined || provider.priceOf?.(defaultModel) !== undefined) continue;
    const fields = { model: name, default_model: defaultModel };
    log.warn("no price of this model is known: a budget in USD refuses its calls", fields);
  }
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
