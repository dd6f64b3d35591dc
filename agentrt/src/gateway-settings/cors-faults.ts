/** Which pages of other origins may read what a gateway answers. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, or `*` for every page. */
  readonly origins: readonly string[];
  /** Methods that their scripts may use. Default those of the routes of the path. */
  readonly methods?: readonly string[] | undefined;
  /** Headers that their scripts may set. Default those that the gateway itself reads. */
  readonly headers?: readonly string[] | undefined;
  /** Headers that their scripts may read, in addition to those that all may. Default none. */
  readonly exposedHeaders?: readonly string[] | undefined;
  /** Whether cookies and certificates of the browser come along. Default false. */
  readonly hasCredentials?: boolean | undefined;
  /** How long a browser may keep the answer to its preflight, seconds, 0 to 86 400. Default 600. */
  readonly maxAgeSeconds?: number | undefined;
}

/** A key of the setting that is wrong. */
export interface CorsFault {
  readonly key: "origins" | "methods" | "headers" | "exposed_headers" | "max_age" | "credentials";
  readonly reason: string;
}

const originPattern = /^(?:\*|https?:\/\/[^\s/?#@]+)$/i;
const tokenPattern = /^[!#$%&'+.^_`|~0-9A-Za-z-]+$/;
const maxAgeSecondsMax = 86_400;

/**
 * Finds what keeps a gateway from starting with a setting of CORS.
 *
 * @param cors The setting.
 * @returns The faults; none for a good one.
 */
export function corsFaults(cors: CorsOptions): CorsFault[] {
  const { origins, methods = [], headers = [], exposedHeaders = [], hasCredentials } = cors;
  const faults: CorsFault[] = [];
  if (origins.length === 0) faults.push({ key: "origins", reason: "is empty: wanted an origin" });
  for (const origin of origins)
    if (!originPattern.test(origin))
      faults.push({
        key: "origins",
        reason: `"${origin}" is not an origin: wanted one such as https://app.example.com, or *`,
      });
  const lists = [
    ["methods", methods],
    ["headers", headers],
    ["exposed_headers", exposedHeaders],
  ] as const;
  for (const [key, names] of lists)
    for (const name of names)
      if (!tokenPattern.test(name)) faults.push({ key, reason: `"${name}" is not a name` });
  if (hasCredentials === true && origins.includes("*"))
    faults.push({
      key: "credentials",
      reason: 'is true, and origins has "*": every page could act for its reader. List the origins',
    });
  const { maxAgeSeconds = 0 } = cors;
  if (!(maxAgeSeconds >= 0 && maxAgeSeconds <= maxAgeSecondsMax))
    faults.push({
      key: "max_age",
      reason: `is ${maxAgeSeconds}: wanted seconds from 0 to ${maxAgeSecondsMax}`,
    });
  return faults;
}
