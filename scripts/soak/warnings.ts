/** Warnings and errors in the log of a run. That its event loop stood still is none: the machine has other work. */
export const warnings = / (?:warn|error) (?! *the event loop is blocked)[^\n]*/;
