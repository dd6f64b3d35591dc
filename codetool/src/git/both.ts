/**
 * Waits for both of two questions that are asked at once. When both fail, it is the first one's error that is thrown,
 * whichever came earlier.
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
