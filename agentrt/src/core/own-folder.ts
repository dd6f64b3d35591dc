/**
 * Where this package's own code is, as stacks write it: `src/`, or `dist/` once built. The file is two levels below the
 * package, as the chunks of a build are: one address is right for both.
 */
export const ownFolder: string = new URL("..", import.meta.url).href;
