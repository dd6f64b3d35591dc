import { Store } from "./store.ts";

/** Where the page is: its name, and what it is about. */
export interface Place {
  readonly page: string;
  /** Decoded; empty for none. */
  readonly about: string;
}

/** Where this page is; the part behind `#` of its URL says so. */
export const place = new Store<Place>(readPlace());

addEventListener("hashchange", () => place.set(readPlace()));

function readPlace(): Place {
  const [page = "", about = ""] = location.hash.replace(/^#\/?/, "").split("/", 2);
  return { page: page === "" ? "tree" : page, about: decoded(about) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns The `href` of a place. Names of agents may hold anything: they are encoded whole. */
export function hrefOf(page: string, about = ""): string {
  return about === "" ? `#/${page}` : `#/${page}/${encodeURIComponent(about)}`;
}
