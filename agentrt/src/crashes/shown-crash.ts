import type { NotedCrash, ShownCrash, TrailCrash } from "../core/index.ts";
import type { CrashBundle } from "./crash-bundle.ts";
import { ErrorParts } from "./error-parts.ts";
import type { Recollection } from "./life-trail.ts";
import { payloadWeightMax, stateWeightMax } from "./limits.ts";
import type { Placeholders } from "./placeholders.ts";
import { weightOf } from "./weight.ts";

/** What is shown of a crash where looking for its secrets failed. */
const hidden: ShownCrash = { message: "not shown: its secrets cannot be looked for", causes: [] };

/** What an agent had, and where secrets are looked for. */
type Had = Pick<Recollection, "before" | "after" | "messages" | "answers"> | undefined;

/**
 * Notes the secrets that an agent had: those of its states, of its messages and of the answers that it got.
 *
 * @param placeholders Takes them out of texts from then on.
 * @param crash Has the state and the message at hand.
 * @param had What is remembered besides; undefined for nothing.
 */
export function learnSecrets(placeholders: Placeholders, crash: TrailCrash, had: Had): void {
  if (had !== undefined) placeholders.learn([had.before.state, had.after.state]);
  placeholders.learn(crash.state);
  placeholders.learn(crash.message?.payload);
  if (had === undefined) return;
  for (const { message } of had.messages) placeholders.learn(message.payload);
  placeholders.learn(had.answers.map(({ request, reply }) => [request, reply]));
}

/** @returns The texts of a crash as its record has them. */
export function shownIn({ error }: CrashBundle): ShownCrash {
  return { message: error.message, causes: error.causes.map(({ message }) => message) };
}

/**
 * Makes the texts of a crash that is not recorded. It never throws: where secrets cannot be looked for, nothing is shown.
 *
 * @param crash What the agent crashed with.
 * @param options What it had; what takes its secrets out.
 */
export function unrecorded(
  crash: TrailCrash,
  { had, placeholders }: { readonly had: Had; readonly placeholders: () => Placeholders },
): NotedCrash {
  try {
    const made = placeholders();
    learnSecrets(made, crash, had);
    // What looks like a secret in a text is one elsewhere, too.
    const { state, message } = crash;
    if (isLight(message?.payload, payloadWeightMax)) made.json(message?.payload);
    if (isLight(state, stateWeightMax)) made.json(state);
    const { message: text, causes } = new ErrorParts("", made).chain(crash.error);
    const shown = { message: text, causes: causes.map((cause) => cause.message) };
    return { shown, record: undefined };
  } catch {
    return { shown: hidden, record: undefined };
  }
}

function isLight(value: unknown, weightMax: number): boolean {
  return value !== undefined && weightOf(value, weightMax) <= weightMax;
}
