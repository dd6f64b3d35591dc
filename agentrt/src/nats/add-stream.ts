import type { JetStreamManager, StreamConfig } from "./jetstream-types.ts";

/**
 * Makes a stream. Another process may make it in the same moment: then that one is it.
 *
 * @throws What the library throws, where no stream of that name is there afterwards.
 */
export async function addStream(
  { streams }: Pick<JetStreamManager, "streams">,
  config: StreamConfig,
): Promise<void> {
  await streams.add(config).catch(async (refusal: unknown) => {
    await streams.info(config.name).catch(() => Promise.reject(refusal));
  });
}
