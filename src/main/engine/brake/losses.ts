/** [BR-2] The losses in the log after a position, and why some of them are none. */
import { join, relative, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { parentOf } from '../files/paths.ts'
import { findGitFolder, type GitFolder } from '../git/git-folder.ts'
import { createGitIndex } from '../git/git-index.ts'
import { hasGitMoved, isGitWriting } from '../git/git-moves.ts'
import { isOpenBy } from '../ports/open-files.ts'
import { brakeStops } from '../store/brake-stops.ts'
import { type LossRow, lossesAfter } from '../store/losses.ts'
import type { Store } from '../store/open-store.ts'
import { readStoredContent } from '../store/versions.ts'
import { isInGeneratedFolder, saysGenerated } from './generated.ts'
import type { Loss } from './judge.ts'

interface LossContext {
  readonly root: string
  readonly store: Store
  readonly rules: { ignoresFile(path: string): boolean }
}

export interface RecordedLoss extends Loss {
  /** The edit that lost it. */
  readonly seq: number
  /** Nothing is there now; else an empty file. */
  readonly isAbsent: boolean
}

/** More contents are not read for what generators write into them, nor larger ones, bytes. */
const MOST_READ = 2000
const LARGEST_READ = 256 * 1024

/** Oldest first. Losses before the decision about a run are no longer its own. */
export function readLosses(context: LossContext, after: number): RecordedLoss[] {
  const { store } = context
  const rows = lossesAfter(store, after)
  const decided = new Map(brakeStops(store).map((stop) => [stop.run, stop.decided]))
  const excuseOf = excuses(context, rows[0]?.at ?? 0)
  return [...Map.groupBy(rows, ({ seq }) => seq).values()].flatMap((authors) => {
    const [row] = authors
    const runs = authors.map(({ run }) => run).filter((run) => (row?.seq ?? 0) > (decided.get(run) ?? 0))
    return row && runs.length > 0
      ? [{ path: row.path, runs, at: row.at, seq: row.seq, isAbsent: row.absent === 1, excuse: excuseOf(row) }]
      : []
  })
}

/** Cheap reasons first. */
function excuses({ root, store, rules }: LossContext, since: number): (row: LossRow) => Loss['excuse'] {
  const isExplained = explainedByGit(root, since)
  let read = 0
  return (row) => {
    if (row.moved === 1) return 'moved'
    if (row.made === 1) return 'made'
    if (rules.ignoresFile(row.path)) return 'ignored'
    if (isInGeneratedFolder(row.path)) return 'generated'
    if (isExplained(row.path)) return 'git'
    return read++ < MOST_READ && isGenerated(store, row) ? 'generated' : null
  }
}

function isGenerated(store: Store, { before }: LossRow): boolean {
  const version = store.records.version(before)
  if (version.size > LARGEST_READ) return false
  try {
    const bytes = readStoredContent(store, version)
    return bytes !== null && saysGenerated(bytes)
  } catch (error) {
    // StoreDamaged: it says nothing, and counts.
    if (error instanceof DriftlineError) return false
    throw error
  }
}

/** Whether git writes files now in the repository of a path: nothing can be judged before it is done. `now`: ms UTC. */
export function isGitBusy(root: string, path: string, now: number): boolean {
  const git = findGitFolder(join(root, parentOf(path)))
  return git !== null && isGitWriting(git, now, (file) => isOpenBy('git', file))
}

/** So long before its loss is noticed may git have moved, ms. */
const EARLIER_MS = 2000

/**
 * Whether git moved to another commit at `since` (ms UTC) and does not track a path any more. A deletion that follows a
 * checkout is not explained by it: git tracks those files still.
 */
export function explainedByGit(root: string, since: number): (path: string) => boolean {
  const repositories = new Map<string, GitFolder | null>()
  const judges = new Map<string, (path: string) => boolean>()
  const judgeIn = (git: GitFolder): ((path: string) => boolean) => {
    if (!hasGitMoved(git, since - EARLIER_MS)) return () => false
    const { files } = createGitIndex(git).tracked()
    return (path) => !files.has(relative(git.top, join(root, path)).split(sep).join('/'))
  }
  return (path) => {
    const folder = parentOf(path)
    if (!repositories.has(folder)) repositories.set(folder, findGitFolder(join(root, folder)))
    const git = repositories.get(folder)
    if (!git) return false
    const judge = judges.get(git.gitDir) ?? judgeIn(git)
    judges.set(git.gitDir, judge)
    return judge(path)
  }
}
