/**
 * The two ends of a streamed reply. Numbered frames go from the producer to the consumer; credit and cancellation come
 * back.
 *
 *     StreamProducer ── chunk, end, error ──▶ StreamConsumer
 *                    ◀─ credit, cancel ──────
 *
 * It must not know agents, nor how frames travel.
 */
export { StreamConsumer } from "./consumer.ts";
export type { ChunkStream } from "./consumer.ts";
export type { StreamControl, StreamFrame } from "./frame.ts";
export { readStreamLimits } from "./options.ts";
export type { StreamLimits, StreamOptions } from "./options.ts";
export { StreamProducer } from "./producer.ts";
