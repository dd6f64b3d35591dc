/**
 * Waits for two promises that run at the same time. When both fail, the error of the first argument is thrown, whichever
 * failed earlier.
 */
export async function both<First, Second>(
  first: Promise<First>,
  second: Promise<Second>,
): Promise<readonly [First, Second]> {
  const [one, other] = await Promise.allSettled([first, second]);
  if (one.status === "rejected") throw one.reason;
  if (other.status === "rejected") throw other.reason;
  return [one.value, other.value];
}
