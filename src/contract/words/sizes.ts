/** Sizes in bytes as people read them, the same on the command line and in the window. */

let numbers: Intl.NumberFormat | undefined

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Decimal units; two significant digits below 100, whole numbers above: "0 B", "9.5 kB", "14 kB", "840 MB", "2 GB". */
export function formatBytes(n: number): string {
  numbers ??= new Intl.NumberFormat('en-US', {
    maximumFractionDigits: 0,
    maximumSignificantDigits: 2,
    roundingPriority: 'morePrecision',
    useGrouping: false
  })
  let value = n
  let unit = 0
  // From 999.5 on a value rounds up to 1000, which the next unit writes as 1. Bytes are whole and never round.
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${numbers.format(value)} ${UNITS[unit]}`
}
