/** Sizes in bytes as people read them, the same on the command line and in the window. */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Decimal units; two significant digits below 100, whole numbers above: "0 B", "9.5 kB", "14 kB", "840 MB", "2 GB". */
export function formatBytes(n: number): string {
  let value = n
  let unit = 0
  // From 999.5 on a value rounds up to 1000, which the next unit writes as 1. Bytes are whole and never round.
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  const steps = value < 9.95 ? 10 : 1
  return `${Math.round(value * steps) / steps} ${UNITS[unit]}`
}
