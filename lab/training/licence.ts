/**
 * Which permissive licence a licence file grants.
 *
 * @param text The file's content.
 * @returns Its SPDX name, or `null` for any other licence, copyleft added to a permissive one included.
 */
export function licenceOf(text: string): string | null {
  const folded = text.replace(/[\s*#>/]+/g, " ").toLowerCase();
  if (/gnu (affero |lesser |library )?general public license|mozilla public license/.test(folded))
    return null;
  if (/business source license|server side public license|commons clause/.test(folded)) return null;
  if (/^ ?apache license,? version 2\.0|licensed under the apache license,? version 2/.test(folded))
    return "Apache-2.0";
  if (folded.includes("free of charge, to any person obtaining a copy of")) return "MIT";
  if (/permission to use, copy, modify,? and(\/or| or)? ?distribute/.test(folded)) return "ISC";
  if (!folded.includes("redistribution and use in source and binary forms")) return null;
  return /neither the names?|may not be used to endorse/.test(folded)
    ? "BSD-3-Clause"
    : "BSD-2-Clause";
}
