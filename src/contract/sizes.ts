/** How sizes are written, on the command line and in the window alike. */

/** Decimal units, one decimal below ten: "0 B", "9.5 kB", "84 MB", "2 GB". */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = n
  let unit = 'B'
  for (const next of units) {
    if (value < 999.5) break
    value /= 1000
    unit = next
  }
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)} ${unit}`
}
