import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { ownFolder } from "../core/index.ts";
import type { GatewayRequest, GatewayResponse, Route } from "../gateway/index.ts";

/** A file of the page. */
interface Asset {
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array;
  /** Names this content. */
  readonly version: string;
}

/** Every script and style is a file of this server, and nothing in the page is run or shown as markup that came as data. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const contentTypes = {
  "console.js": "text/javascript; charset=utf-8",
  "console.css": "text/css; charset=utf-8",
} as const;

type AssetName = keyof typeof contentTypes;

const assets = new Map<AssetName, Asset>();

/** Reads a file once. It is in the package, next to its sources or what was built from them. */
function assetOf(name: AssetName): Asset {
  const known = assets.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(new URL(`../assets/console/${name}`, ownFolder));
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const asset = { bytes, gzipped: gzipSync(bytes, { level: 9 }), version };
  assets.set(name, asset);
  return asset;
}

/**
 * Makes the routes of the page itself. They hold nothing of the tree, so nobody has to sign in for them.
 *
 * @param prefix What goes before every path of the control plane: letters, digits, slashes, `-`, `_` and `.`.
 * @param server Name of the topology server, for the title.
 */
export function pageRoutes(prefix: string, server: string): Route[] {
  const get = (path: string, handle: (request: GatewayRequest) => GatewayResponse): Route => ({
    method: "GET",
    path: `${prefix}${path}`,
    isUngated: true,
    handle: async (request) => handle(request),
  });
  const file = (name: AssetName): Route =>
    get(`/console/${name}`, (request) => fileResponse(name, request));
  return [
    get("/console", () => ({
      status: 200,
      body: undefined,
      text: htmlOf(prefix, server),
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      },
    })),
    file("console.js"),
    file("console.css"),
  ];
}

/** A URL with its version is kept by browsers, one without is not. */
function fileResponse(
  name: AssetName,
  { headers, queryParams }: Pick<GatewayRequest, "headers" | "queryParams">,
): GatewayResponse {
  const { bytes, gzipped, version } = assetOf(name);
  const isZipped = /\bgzip\b/.test(headers["accept-encoding"] ?? "");
  const isOfVersion = queryParams["v"] === version;
  return {
    status: 200,
    body: undefined,
    bytes: isZipped ? gzipped : bytes,
    headers: {
      "content-type": contentTypes[name],
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      vary: "accept-encoding",
      "cache-control": isOfVersion ? "public, max-age=31536000, immutable" : "no-cache",
      ...(isZipped ? { "content-encoding": "gzip" } : {}),
    },
  };
}

const escapes: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");
}

function htmlOf(prefix: string, server: string): string {
  const at = (name: AssetName): string =>
    `${escaped(prefix)}/console/${name}?v=${assetOf(name).version}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(server)}: agentrt console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at("console.css")}">
<script type="module" src="${at("console.js")}"></script>
</head>
<body data-prefix="${escaped(prefix)}" data-server="${escaped(server)}">
<div id="console"><noscript>The console needs JavaScript. The same is answered by the commands of agentrt, and by the routes of the control plane.</noscript></div>
</body>
</html>
`;
}
