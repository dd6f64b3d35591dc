let module: URL | undefined;
let moduleOfLooks: URL | undefined;

/**
 * Says what module a thread begins with, for a program that is one file: that file itself, which then calls
 * `serveThread`. Without this call a thread begins with its own module.
 *
 * @param lookAddress Of the module for threads that look at the stamps of a tree: it calls `serveLook`.
 */
export function useThreadModule(address: URL, lookAddress: URL): void {
  module = address;
  moduleOfLooks = lookAddress;
}

/** What was said with `useThreadModule`. */
export function threadModule(): URL | undefined {
  return module;
}

/** The same for threads that look at the stamps of a tree; `undefined` without that call. */
export function lookModule(): URL | undefined {
  return moduleOfLooks;
}
