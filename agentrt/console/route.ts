import { Store } from "./store.ts";

/** Where the page is: its name, and what it is about. */
export interface Place {
  readonly page: string;
  /** Decoded; empty for none. */
  readonly about: string;
  /** What of it is shown: filters. */
  readonly query: URLSearchParams;
}

/** Where this page is; the part behind `#` of its URL says so. */
export const place = new Store<Place>(readPlace());

addEventListener("hashchange", () => place.set(readPlace()));

function readPlace(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", about = ""] = path.split("/", 2);
  return {
    page: page === "" ? "tree" : page,
    about: decoded(about),
    query: new URLSearchParams(query),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns The `href` of a place. Names of agents may hold anything: they are encoded whole. */
export function hrefOf(
  page: string,
  about = "",
  query: { readonly [name: string]: string } = {},
): string {
  const place = about === "" ? `#/${page}` : `#/${page}/${encodeURIComponent(about)}`;
  const given = Object.entries(query).filter(([, value]) => value !== "");
  return given.length === 0 ? place : `${place}?${new URLSearchParams(given)}`;
}
