/** A stretch of a text in UTF-16 units; the end is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A part of a text and its new text. */
export interface TextEdit extends Stretch {
  readonly text: string;
}

/** Applies edits that are sorted and do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const edit of edits) {
    parts.push(text.slice(position, edit.start), edit.text);
    position = edit.end;
  }
  parts.push(text.slice(position));
  return parts.join("");
}

/** Where stretches lie after edits that lie within them. */
export function moveStretches(
  stretches: readonly Stretch[],
  edits: readonly TextEdit[],
): readonly Stretch[] {
  let next = 0;
  let shift = 0;
  return stretches.map(({ start, end }) => {
    const movedStart = start + shift;
    for (let edit = edits[next]; edit !== undefined && edit.end <= end; edit = edits[next]) {
      shift += edit.text.length - (edit.end - edit.start);
      next += 1;
    }
    return { start: movedStart, end: end + shift };
  });
}
