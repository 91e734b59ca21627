/**
 * [BR-1] Judges whether a run lost so many files in so short a time that it has to be stopped. By effect: how a file
 * went, and what the command says, does not matter. Pure.
 */

/** A recorded file that is absent or empty now, and was neither before. */
export interface Loss {
  readonly path: string
  /** The runs that may have done it. */
  readonly runs: readonly string[]
  /** ms UTC */
  readonly at: number
  /** Why it is none after all; null for a loss. */
  readonly excuse: Excuse | null
}

/**
 * moved      it is in the folder under another name
 * made       the same run had made it
 * ignored    git ignores it
 * generated  a program writes it anew: its folder or its first lines say that
 * git        git moved to another commit that does not have it
 */
type Excuse = 'moved' | 'made' | 'ignored' | 'generated' | 'git'

/** Losses that are further apart do not count together, ms. */
export const WINDOW_MS = 10_000

interface Bounds {
  /** As a person set it; null for the default. */
  readonly files: number | null
  /** Files that the folder had before the losses. */
  readonly covered: number
}

const BOUND = 200
/** In a large folder ordinary work deletes more: this share of it, within `MOST`. */
const LARGE_SHARE = 0.1
const MOST = 1000
/** In a small folder fewer are much: this share of it, but not below `LEAST`. */
const SMALL_SHARE = 0.5
const LEAST = 50

/** With this few losses nothing is judged. `files`: as in Bounds. */
export function leastOf(files: number | null): number {
  return files ?? LEAST
}

/** How many files a run may lose within the window: this many stop it. */
export function limitOf({ files, covered }: Bounds): number {
  if (files !== null) return files
  const forLarge = Math.max(BOUND, Math.min(MOST, Math.ceil(covered * LARGE_SHARE)))
  return Math.min(forLarge, Math.max(LEAST, Math.ceil(covered * SMALL_SHARE)))
}

interface Verdict<L extends Loss> {
  readonly run: string
  /** The losses that count, oldest first. */
  readonly losses: readonly L[]
}

/** The runs to stop. Losses within the window count, wherever in time the window lies. */
export function judge<L extends Loss>(losses: readonly L[], limit: number): Verdict<L>[] {
  const counted = losses.filter(({ excuse }) => excuse === null).sort((a, b) => a.at - b.at)
  const byRun = new Map<string, L[]>()
  for (const loss of counted) {
    for (const run of loss.runs) {
      const own = byRun.get(run)
      if (own) own.push(loss)
      else byRun.set(run, [loss])
    }
  }
  return [...byRun].flatMap(([run, own]) => (isTooMuch(own, limit) ? [{ run, losses: own }] : []))
}

/** Whether some window holds `limit` of them. `losses`: oldest first. */
function isTooMuch(losses: readonly Loss[], limit: number): boolean {
  return losses.some((first, n) => {
    const last = losses[n + limit - 1]
    return last !== undefined && last.at - first.at <= WINDOW_MS
  })
}

/** The innermost folder that holds all paths; '' is the root. */
export function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths
  let folder = first.slice(0, Math.max(0, first.lastIndexOf('/')))
  for (const path of others)
    while (folder !== '' && !path.startsWith(`${folder}/`))
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
  return folder
}
