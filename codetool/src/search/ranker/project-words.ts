import { wordsOfName } from "./name-words.ts";

/**
 * The words that name a project: in a question about it they mean nothing but the project itself. Names of one
 * word count, and compound names as a whole: `kafka`, `zigclap`.
 *
 * @param names For example the folder's name, the manifest's, the last part of the remote's address.
 */
export function projectWordsOf(names: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const name of names) {
    const last = name.split("/").at(-1) ?? "";
    const own = wordsOfName(last.replace(/\.git$/, ""));
    words.add(last.toLowerCase());
    words.add(own.join(""));
    if (own.length === 1) words.add(own[0] as string);
    for (const separator of ["-", ".", "_"]) words.add(own.join(separator));
    // "requests" is asked about as "request", too; words that are common in code stay.
  }
  words.delete("");
  return words;
}
