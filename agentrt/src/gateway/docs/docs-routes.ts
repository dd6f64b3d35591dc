import { createHash } from "node:crypto";
import type { Route } from "../chain/index.ts";
import { docsPage } from "./page.ts";
import { openApiDocument, type RouteDescription } from "./openapi.ts";

/** How an API's description is served. */
export interface DocsOptions {
  /** Default: where nothing may authenticate, and not where something does. */
  readonly isEnabled?: boolean | undefined;
  /** Path of the page, beginning with a slash; the document is below it. Default `/docs`. */
  readonly path?: string | undefined;
}

/** Where the page is when nothing else is said. */
export const docsPathDefault = "/docs";

/**
 * Makes the routes of an API's description: the page, and `openapi.json` below it and at the root. No middleware is in
 * front of them.
 *
 * @param title Name of the gateway.
 * @param path Path of the page.
 * @param routes What is described.
 * @returns The routes; they go before all others.
 */
export function docsRoutes(
  title: string,
  path: string,
  routes: readonly RouteDescription[],
): Route[] {
  const base = path.replace(/\/+$/, "");
  const documentPath = `${base}/openapi.json`;
  const document = JSON.stringify(openApiDocument(title, routes));
  const { html, script, style } = docsPage(documentPath);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const serve = (at: string, text: string, headers: { readonly [name: string]: string }) => ({
    method: "GET",
    path: at,
    isUngated: true,
    handle: async () => ({
      status: 200,
      body: undefined,
      text,
      headers: { "x-content-type-options": "nosniff", ...headers },
    }),
  });
  const asJson = { "content-type": "application/json" };
  const asHtml = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "referrer-policy": "no-referrer",
  };
  return [
    serve(base === "" ? "/" : base, html, asHtml),
    serve(documentPath, document, asJson),
    ...(base === "" ? [] : [serve("/openapi.json", document, asJson)]),
  ];
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
