/** Facts of a plan in short words, so that a table of cases fits a screen. */

import type { FileVersion } from '../../../../src/contract/log.ts'
import type { Conflict, PlanNote, Resolutions } from '../../../../src/contract/restore.ts'
import { parentOf } from '../../../../src/main/engine/files/paths.ts'
import { planRestore } from '../../../../src/main/engine/restore/plan.ts'
import type { PathInput, PlanInput, Planned } from '../../../../src/main/engine/restore/plan-items.ts'
import { ABSENT, UNKNOWN } from '../../../../src/main/engine/store/fixed-versions.ts'

const file = (hash: string | null, mode = 0o644): FileVersion => ({ ...ABSENT, kind: 'file', size: 1, mode, hash })
const link = (target: string): FileVersion => ({ ...ABSENT, kind: 'symlink', size: 1, mode: 0o777, target })
const dir = (mode: number): FileVersion => ({ ...ABSENT, kind: 'dir', mode })

/** `x`: the same content, executable. */
const VERSIONS = {
  '-': ABSENT,
  a: file('a'),
  ax: file('a', 0o755),
  b: file('b'),
  m: file('merged'),
  large: { ...file(null), notStored: 'too-large' },
  never: { ...file(null), notStored: 'never' },
  pruned: { ...file('p'), notStored: 'pruned' },
  damaged: { ...file('d'), notStored: 'damaged' },
  unreadable: { ...file(null), notStored: 'unreadable' },
  changing: { ...file(null), notStored: 'changing' },
  link: link('x'),
  link2: link('y'),
  dir: dir(0o755),
  dirp: dir(0o700),
  ignored: { ...dir(0o755), notStored: 'ignored' },
  special: { ...ABSENT, kind: 'special', mode: 0o644, notStored: 'special' },
  unknown: UNKNOWN
} satisfies Record<string, FileVersion>

export type VersionName = keyof typeof VERSIONS
export const version = (name: VersionName): FileVersion => VERSIONS[name]

const OTHERS: Conflict['by'] = [{ who: 'outside', title: '', at: 1 }]

export interface PathCase {
  readonly now: VersionName
  readonly target: VersionName
  /** Others wrote since. */
  readonly foreign?: boolean
  /** What a merge would write; absent where none is safe. */
  readonly merge?: VersionName
  readonly onlyByMerge?: boolean
  /** The path that the file returns to. */
  readonly moveTo?: string
  /** What the path was before the file came. */
  readonly left?: VersionName
}

export interface PlanCase {
  /** What the restore may touch. */
  readonly paths: Readonly<Record<string, PathCase>>
  /** Recorded paths besides these. */
  readonly beside?: Readonly<Record<string, VersionName>>
  readonly resolutions?: Resolutions
  readonly otherwise?: PlanInput['defaultResolution']
  /** The disk does not tell names apart by case. */
  readonly foldsCase?: boolean
}

export function planOf({ paths, beside = {}, resolutions = {}, otherwise = 'keep', foldsCase }: PlanCase): Planned {
  const recorded = new Map<string, FileVersion>([
    ...Object.entries(beside).map(([path, name]) => [path, version(name)] as const),
    ...Object.entries(paths).map(([path, { now }]) => [path, version(now)] as const)
  ])
  const nowOf = (path: string): FileVersion => recorded.get(path) ?? ABSENT
  return planRestore({
    paths: Object.entries(paths).map(
      ([path, { now, target, foreign, merge, onlyByMerge, moveTo, left = '-' }]): PathInput => ({
        path,
        now: version(now),
        target: version(target),
        base: 0,
        foreign: foreign ? OTHERS : [],
        foreignCause: 'others-after-run',
        merge: merge ? { version: version(merge) } : null,
        onlyByMerge: onlyByMerge ?? false,
        move: moveTo ? { to: moveTo, nowThere: nowOf(moveTo), left: { version: version(left), base: 0 } } : null
      })
    ),
    nowOf,
    presentIn: (folder) =>
      [...recorded].flatMap(([path, { kind }]) => (kind !== 'absent' && parentOf(path) === folder ? [path] : [])),
    lastFolder: () => null,
    resolutions,
    defaultResolution: otherwise,
    ...(foldsCase && { fold: (path: string) => path.toLowerCase() })
  })
}

/** `write`, or `write:no-undo` with a note; `keep:why`. */
export function wordOf({ action, note }: { readonly action: string; readonly note: PlanNote | null }): string {
  if (!note) return action
  const about = note.code === 'conflict' ? note.cause : 'path' in note ? `${note.code}(${note.path})` : note.code
  return `${action}:${about}`
}

/** The plan as one line: a word for each path, in path order. */
export function planLine(planned: Planned): string {
  return planned.items.map((item) => `${item.path}=${wordOf(item)}`).join(' ')
}
