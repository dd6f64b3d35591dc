/**
 * Who may ask: middleware of the gateway that authenticates requests.
 *
 * ```
 * environment → readJwtSettings → KeySource (one key, or a set that lies elsewhere) ┐
 * Authorization: Bearer → readTokenHeader → VerifiedTokens ─ not there ─→ JwtVerifier ┴→ request.auth
 * X-API-Key → digests, all compared ────────────────────────────────────────────────→ request.auth
 * ```
 *
 * Each middleware is a row of `built-in-middleware.ts`, made once at a start of its gateway. Secrets come from the
 * environment and are neither logged nor kept where a digest will do. Everything fails closed: what is not set, not
 * reachable or not understood lets nobody in. A token decides nothing about its own verification but which of the
 * known keys to try: URLs and keys in it are not looked at, and the accepted algorithms are those of the settings.
 *
 * The folder knows requests and responses, not listeners: HTTP/2, WebSocket and gRPC use the same verifier.
 */
export { canonicalName, parseName } from "./distinguished-name.ts";
export { principalOf } from "./principal-of.ts";
export { requireApiKey } from "./require-api-key.ts";
export { requireJwt } from "./require-jwt.ts";
export { type ClientCertReader, createClientCertReader } from "./client-cert-reader.ts";
export { type MtlsOptions, setUpClientCerts } from "./client-cert-setup.ts";
export { requireClientCert } from "./require-client-cert.ts";
export { gatewayAuthErrors } from "./errors.ts";
