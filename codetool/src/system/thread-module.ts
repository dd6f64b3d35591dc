let module: URL | undefined;

/**
 * Says what module a thread begins with, for a program that is one file: that file itself, which then calls
 * `serveThread`. Without this call a thread begins with its own module.
 */
export function useThreadModule(address: URL): void {
  module = address;
}

/** What was said with `useThreadModule`. */
export function threadModule(): URL | undefined {
  return module;
}
