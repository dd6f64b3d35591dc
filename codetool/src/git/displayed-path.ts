/** A path of git as people and JSON see it: what is not UTF-8 becomes U+FFFD. */
export function displayedPath(pathBytes: Buffer): string {
  return pathBytes.toString("utf8");
}
