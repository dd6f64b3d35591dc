let address: URL | undefined;

/**
 * Says what a thread of the index begins with, for a program that is one file: that file itself, which then calls
 * `serveGathering`. Without this call it is a module of this folder.
 */
export function useGatherWorker(module: URL): void {
  address = module;
}

/** What a thread begins with. */
export function gatherWorkerAddress(): URL {
  return (address ??= moduleBeside());
}

/** As a source beside this file; in a built package two folders apart. */
function moduleBeside(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  const path = isSource ? "../store/gather/worker-main.ts" : "../store/gather/worker-main.js";
  return new URL(path, import.meta.url);
}
