import { type Addition, ConfigError } from "./addition.ts";

/** A file that has nothing but the addition. Where somebody has changed it since, it is theirs and stays. */
export function wholeFile(body: string): Addition {
  return {
    kind: { kind: "file" },
    isMarked: false,
    find: (text) => (text === body ? "same" : text === "" ? "none" : "other"),
    add: (text) => {
      if (text !== "") throw new ConfigError("it has other content already");
      return { text: body, added: body };
    },
    take: (text, added) => (text === added ? "" : undefined),
  };
}
