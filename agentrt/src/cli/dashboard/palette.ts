import type { MiddleView, Tab } from "./tab.ts";
import { agentActs } from "./intent.ts";

/** A line of the command palette. */
export interface PaletteEntry {
  readonly title: string;
  /** The key that does the same without the palette; empty for none. */
  readonly key: string;
  readonly does: PaletteDoing;
}

/** What a line of the palette does. */
export type PaletteDoing =
  | { readonly kind: "key"; readonly key: string }
  | { readonly kind: "view"; readonly view: MiddleView }
  | { readonly kind: "tab"; readonly index: number }
  | { readonly kind: "quit" };

/** @returns All that can be done now: about the selected agent first. */
export function paletteEntries(tabs: readonly Tab[], active: Tab): PaletteEntry[] {
  const { selected, selectedPath } = active;
  const name = selected === undefined ? "" : ` "${selected.name}"`;
  const acts = Object.entries(agentActs).map(([key, { title }]): PaletteEntry => ({
    title: `${title}${name}`,
    key,
    does: { kind: "key", key },
  }));
  const views: readonly (readonly [string, string, MiddleView])[] = [
    ["Show the detail", "", "detail"],
    ["Show the history", "h", "history"],
    ["Show events", "e", "events"],
    ["Show approvals", "a", "approvals"],
  ];
  return [
    ...(selectedPath === undefined ? [] : acts),
    ...views.map(([title, key, view]): PaletteEntry => ({
      title,
      key,
      does: { kind: "view", view },
    })),
    {
      title: "Widen the detail, or make it narrow again",
      key: "f",
      does: { kind: "key", key: "f" },
    },
    { title: "Filter the tree", key: "/", does: { kind: "key", key: "/" } },
    ...(tabs.length < 2
      ? []
      : tabs.map(({ label }, index): PaletteEntry => ({
          title: `Go to ${label}`,
          key: index < 9 ? String(index + 1) : "",
          does: { kind: "tab", index },
        }))),
    { title: "Quit", key: "q", does: { kind: "quit" } },
  ];
}

/** @returns The entries whose titles have all letters of a text, in its order. */
export function matchingEntries(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = text.toLowerCase();
  return entries.filter(({ title }) => {
    let at = 0;
    for (const letter of title.toLowerCase()) if (letter === wanted[at]) at += 1;
    return at === wanted.length;
  });
}
