const bearerPattern = /^bearer +(\S.*)$/i;

/**
 * Reads the token of an `Authorization` header.
 *
 * @param authorization The header's value.
 * @returns The text behind the scheme `Bearer`, whatever it is; `undefined` where there is none.
 */
export function readBearer(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : bearerPattern.exec(authorization)?.[1];
}
