/** Medians, percentiles, and the format of figures. Fixed decimals, so that columns are comparable. */

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2
}

export function inSeconds(seconds: number): string {
  if (seconds < 0.01) return `${(seconds * 1000).toFixed(2)} ms`
  return seconds < 1 ? `${(seconds * 1000).toFixed(0)} ms` : `${seconds.toFixed(2)} s`
}

export function inMegabytes(bytes: number): string {
  return bytes < 10_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(0)} MB`
}

export function times(ratio: number): string {
  return `${ratio.toFixed(2)} x`
}
