import { z } from "zod";
import { fields, type KeyDescriptions } from "../topology/index.ts";

const { seconds, wholeMilliseconds, wholeNumber } = fields;

/** The limits of an agent, as every kind of node with a user's class takes them. */
export const limitShape = {
  mailbox_size: wholeNumber({ min: 1 }).optional(),
  max_retries: wholeNumber({ min: 0 }).optional(),
  handle_timeout: seconds({ isZeroAllowed: false }).optional(),
  start_timeout: seconds({ isZeroAllowed: false }).optional(),
  shutdown_timeout: seconds({ isZeroAllowed: true }).optional(),
  hook_timeout: seconds({ isZeroAllowed: false }).optional(),
};

/** What the limits are for. */
export const limitKeys: KeyDescriptions = {
  mailbox_size: "Messages that wait at most; senders wait beyond it. By default 1000.",
  max_retries: 'Retries of one message after onError answered "retry". By default 3.',
  handle_timeout: "Seconds that one message may take.",
  start_timeout: "Seconds that onStart may take; by default 60.",
  shutdown_timeout: "Seconds that a stop may take, with the message at hand; by default 30.",
  hook_timeout: "Seconds that any other hook may take; by default 60.",
};

const limits = z.object(limitShape);

/** @returns The options of an agent that these settings stand for. */
export function limitOptions(given: z.output<typeof limits>) {
  const milliseconds = (duration: number | undefined): number | undefined =>
    duration === undefined ? undefined : wholeMilliseconds(duration);
  return {
    mailboxLengthMax: given.mailbox_size,
    retryCountMax: given.max_retries,
    handleTimeoutMs: milliseconds(given.handle_timeout),
    startTimeoutMs: milliseconds(given.start_timeout),
    shutdownTimeoutMs: given.shutdown_timeout === 0 ? 0 : milliseconds(given.shutdown_timeout),
    hookTimeoutMs: milliseconds(given.hook_timeout),
  };
}
