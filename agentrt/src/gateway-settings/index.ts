/**
 * What a gateway's settings mean, known before anything listens: paths of the middleware of this package, which settings
 * contradict each other, address ranges, the URL of an address.
 *
 * Two folders ask it: `gateway`, when it starts, and the checks of topology files, which load no server. So the folder
 * imports nothing but `node:net`, opens nothing, and knows neither requests nor files.
 */
export { addressKey } from "./address-key.ts";
export { listeningUrl } from "./listening-url.ts";
export {
  forwardedCertWarning,
  type GrpcOptions,
  grpcFaults,
  requireJwtPath,
} from "./grpc-faults.ts";
export { type Http3Options, http3Faults } from "./http3-faults.ts";
export { type CorsFault, corsFaults, type CorsOptions } from "./cors-faults.ts";
export {
  type HeaderFault,
  headerNameFault,
  type SecurityHeaders,
  securityHeaderFaults,
} from "./header-faults.ts";
export { hostOfAuthority, isLoopbackHost } from "./loopback-host.ts";
export { type AddressRanges, readAddressRanges } from "./address-ranges.ts";
export {
  clientCertFaults,
  type ClientCertSettings,
  clientCertWarnings,
  type ClientCertMode,
} from "./client-cert-faults.ts";
export {
  type ClientKeyKind,
  isClientKeyKind,
  type RateLimitFault,
  rateLimitFaults,
} from "./rate-limit-faults.ts";
export {
  keyWanted,
  type RouteBounds,
  routeBoundsFault,
  type RouteLimitRule,
} from "./route-limit.ts";
export { builtInMiddlewarePaths, builtInClassNames, rateLimitPath } from "./built-in-names.ts";
