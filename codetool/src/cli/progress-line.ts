/** Work shorter than this shows nothing. */
const quietMs = 1000;
const intervalMs = 100;

/**
 * Makes a progress display: one line on a terminal that is overwritten, and removed at the end.
 *
 * @param options.write To the terminal.
 * @param options.nowMs A clock that only goes forward.
 */
export function makeProgressLine(options: {
  readonly title: string;
  readonly write: (text: string) => void;
  readonly nowMs: () => number;
}): (progress: { readonly done: number; readonly total: number; readonly unit?: string }) => void {
  const startMs = options.nowMs();
  let shownMs: number | undefined;
  return ({ done, total, unit = "files" }) => {
    const nowMs = options.nowMs();
    if (done >= total) {
      if (shownMs !== undefined) options.write("\r\u001b[K");
      shownMs = undefined;
      return;
    }
    if (nowMs - startMs < quietMs || nowMs - (shownMs ?? 0) < intervalMs) return;
    shownMs = nowMs;
    const percent = Math.floor((100 * done) / total);
    options.write(`\r\u001b[K${options.title}: ${done} of ${total} ${unit} (${percent} %)`);
  };
}
