import type { BuiltInMiddleware } from "./middleware.ts";

/** The middleware of this package by the dotted path that stands in a topology. */
export const builtInMiddleware: ReadonlyMap<string, BuiltInMiddleware> = new Map();
