/** One line that went, came, or became another; lines are without their line feeds. */
export interface LineChange {
  readonly type: "addition" | "deletion" | "modification";
  readonly old: string | null;
  readonly new: string | null;
}
