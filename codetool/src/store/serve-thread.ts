/** Makes runs for an index in this thread, which was started for that. */
export async function serveThread(): Promise<void> {
  const { serveGathering } = await import("./gather/index.ts");
  serveGathering();
}
