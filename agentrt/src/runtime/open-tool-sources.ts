import type { Log, ToolSource } from "../core/index.ts";
import { TableError } from "../core/index.ts";

/**
 * Opens the sources of tools, all at once. One that cannot be reached is a warning: its tools are missing until a call
 * reaches it.
 *
 * @param sources The sources of a runtime.
 * @param log Where they report.
 * @throws An error that a later attempt cannot fix, such as a package that is not installed.
 */
export async function openToolSources(sources: readonly ToolSource[], log: Log): Promise<void> {
  await Promise.all(
    sources.map(async (source) => {
      try {
        await source.open?.({ log: log.with({ server: source.name }) });
      } catch (error) {
        if (!(error instanceof TableError) || !error.isRetryable) throw error;
        log.warn("a tool server is not there: its tools are missing", { error });
      }
    }),
  );
}

/**
 * Closes the sources of tools. What one throws is logged and does not keep the others open.
 *
 * @param sources The sources of a runtime.
 * @param log Where failures are reported.
 */
export async function closeToolSources(sources: readonly ToolSource[], log: Log): Promise<void> {
  await Promise.all(
    sources.map(async (source) => {
      try {
        await source.close?.();
      } catch (error) {
        log.error("a tool server did not close", { server: source.name, error });
      }
    }),
  );
}
