/** A line that went, came, or became another, without its line feed; when joined, neighbouring ones with line feeds between. */
export interface LineChange {
  readonly type: "addition" | "deletion" | "modification";
  readonly old: string | null;
  readonly new: string | null;
}
