/** Longest time a timer can wait: Node's timers hold 31 bits. */
export const timeoutMsMax = 2_147_483_647;
