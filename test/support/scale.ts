/**
 * How much the random tests do. `npm test` plays few histories from one seed, the same each time; `npm run test:long` plays 50
 * times as many from a new seed, which a failure prints and DRIFTLINE_SEED sets. DRIFTLINE_TIMES sets another number than 50.
 */

export const LONG = process.env.DRIFTLINE_TESTS === 'long'
export const SEED = Number(process.env.DRIFTLINE_SEED ?? (LONG ? Date.now() % 2 ** 31 : 20_261_122))

const TIMES = LONG ? Number(process.env.DRIFTLINE_TIMES ?? 50) : 1

/** `usual` in `npm test`, 50 times as many in the long form. */
export function scaled(usual: number): number {
  return usual * TIMES
}

/** The time limit of a test that does `count` things, each of at most two seconds. */
export function limitFor(count: number): number {
  return 60_000 + count * 2000
}
