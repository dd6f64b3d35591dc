import type { GatewayResponse } from "../gateway/index.ts";
import type { UnreadSpans } from "../runtime/index.ts";
import type { UnreadBody } from "./wire.ts";

/** Makes what could not be read a member of a body; nothing where all was. */
export function unreadBody(unread: readonly UnreadSpans[]): {
  readonly unread?: readonly UnreadBody[];
} {
  return unread.length === 0 ? {} : { unread: unread.map((each) => ({ ...each })) };
}

/** @returns What several processes could not read, a file that they share once; and those that did not answer. */
export function joinUnread(
  answers: readonly GatewayResponse[],
  silent: readonly UnreadBody[],
): ReturnType<typeof unreadBody> {
  const read = answers.flatMap(
    ({ body }) => (body as unknown as { readonly unread?: readonly UnreadBody[] }).unread ?? [],
  );
  const all = [...read, ...silent];
  return unreadBody([...new Map(all.map((each) => [JSON.stringify(each), each])).values()]);
}
