import { useState } from "preact/hooks";
import { signIn } from "./api.ts";

/** Texts that are kept at most; the one that was typed longest ago goes. */
const draftCountMax = 50;

/** What was typed and not sent, by its field: in memory alone, for who typed it. */
const drafts = new Map<string, string>();
let writer: string | undefined;

signIn.watch((state) => {
  if (state.kind === "unknown") return;
  const isSame = state.kind === "in" ? state.session.principal === writer : !state.isLeft;
  if (!isSame) drafts.clear();
  if (state.kind === "in") writer = state.session.principal;
});

/**
 * A text that outlives its page: a session that ends takes nothing that was typed with it.
 *
 * @param field Names it: for each approval, agent and question another one.
 * @param initial What is there before anything was typed.
 * @returns The text, what sets it, and what forgets it once it was sent.
 */
export function useDraft(
  field: string,
  initial: string,
): readonly [text: string, setText: (text: string) => void, forget: () => void] {
  const [text, setText] = useState(drafts.get(field) ?? initial);
  const set = (next: string): void => {
    setText(next);
    drafts.delete(field);
    if (next !== initial) drafts.set(field, next);
    for (const oldest of drafts.keys()) {
      if (drafts.size <= draftCountMax) break;
      drafts.delete(oldest);
    }
  };
  return [text, set, () => void drafts.delete(field)];
}
