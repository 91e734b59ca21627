/** Builds out/ if a source is newer. Returns the exit code, 0 if nothing had to be built. */
export function buildIfNeeded(): number
/** Whether out/ is there and no source is newer. */
export function isBuilt(): boolean
