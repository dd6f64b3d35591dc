/** A line that was removed, added or modified, without its line feed; a joined change has several lines. */
export interface LineChange {
  readonly type: "addition" | "deletion" | "modification";
  readonly old: string | null;
  readonly new: string | null;
}
