/**
 * [GT-14] Files by which people and tools set a repository up, each an item of its own: the config, the hooks, and what is in
 * `info`. Git rewrites none of them by itself except the config.
 */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { isReftable } from '../git/reftable/live-stack.ts'
import { type GitFileRow, type GitStore, gitFilesAt, hasGitContent, readGitContent } from '../store/git-store.ts'
import { sha256 } from '../store/hash.ts'
import type { GitWork, WorkState } from '../store/restore-git.ts'
import { idBytesIn, idBytesOf, refused, writeGitFile } from './git-files.ts'
import { LINK_MODE, modeOf, readLink } from './link-files.ts'
import { STATE_FILE_LIMIT } from './state-files.ts'

/** `info/refs` follows from the refs. Only a link is at `hooks` or `info` itself. */
const IS_REPOSITORY_FILE = /^(?:config(?:\.worktree)?|(?:hooks|info)(?:\/(?!refs$).+)?)$/

export interface Version {
  /** In hex; '' if it is absent. */
  readonly hash: string
  readonly mode: number
}

export const ABSENT: Version = { hash: '', mode: 0 }

/** What differs between two states, sorted by path. */
export function differingFiles(store: GitStore, then: number, now: number) {
  const [before, after] = [versionsAt(store, then), versionsAt(store, now)]
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path) => {
    const [to, from] = [before.get(path) ?? ABSENT, after.get(path) ?? ABSENT]
    return isSame(from, to) ? [] : [{ path, from, to }]
  })
}

function versionsAt(store: GitStore, state: number): Map<string, Version> {
  const rows = gitFilesAt(store, state).filter(({ path }) => IS_REPOSITORY_FILE.test(path))
  return new Map(rows.map((row) => [row.path, versionOf(row)]))
}

export function versionOf({ hash, mode }: GitFileRow): Version {
  return { hash: Buffer.from(hash ?? []).toString('hex'), mode }
}

export function isSame(a: Version, b: Version): boolean {
  return a.hash === b.hash && a.mode === b.mode
}

/** What writes the version `to`, and undoes that. */
export function fileWork({ path, from, to }: ReturnType<typeof differingFiles>[number]): GitWork {
  const modes = { from: from.mode, to: to.mode }
  return { kind: 'file', item: path, name: path, from: from.hash, to: to.hash, modes }
}

export function stateOfFile(gitDir: string, store: GitStore, work: GitWork): WorkState {
  const now = versionNow(gitDir, work.name)
  const [from, to] = versionsOf(work)
  if (isSame(now, to)) return 'written'
  if (to.hash !== '' && !hasGitContent(store, Buffer.from(to.hash, 'hex'))) return 'evicted'
  return isSame(now, from) ? 'ready' : 'changed'
}

/** Throws Refused, with the file as it was. */
export function writeFileWork(gitDir: string, store: GitStore, work: GitWork): void {
  const { name, to, modes } = work
  switch (stateOfFile(gitDir, store, work)) {
    case 'written':
      return
    case 'changed':
      throw refused(`${name} changed meanwhile, so it was not written. Restore again.`, { name })
    case 'evicted':
      throw refused(`The kept ${name} is older than the retention time, and is kept no longer. It was not written.`, {
        name
      })
    default:
      writeGitFile(gitDir, name, to === '' ? null : readGitContent(store, Buffer.from(to, 'hex')), modes?.to)
  }
}

/**
 * Whether it is a config that says another form than the repository has: refs in files or tables, which `git refs migrate`
 * converts, and the length of object ids.
 */
export function isOtherForm(gitDir: string, store: GitStore, { name, to }: GitWork): boolean {
  if (name !== 'config') return false
  const text = to === '' ? '' : readGitContent(store, Buffer.from(to, 'hex')).toString('utf8')
  return namesTables(text) !== isReftable(gitDir) || idBytesIn(text) !== idBytesOf(gitDir)
}

/** Of a config. */
function namesTables(text: string): boolean {
  return /^\s*refstorage\s*=\s*reftable\s*$/im.test(text)
}

function versionsOf({ from, to, modes }: GitWork): [Version, Version] {
  return [
    { hash: from, mode: modes?.from ?? 0 },
    { hash: to, mode: modes?.to ?? 0 }
  ]
}

function versionNow(gitDir: string, path: string): Version {
  const file = join(gitDir, path)
  const stats = ifReadable(() => lstatSync(file, { bigint: true, throwIfNoEntry: false }))
  const mode = stats ? modeOf(path, stats) : null
  const bytes = mode === null ? null : mode === LINK_MODE ? readLink(file) : readSmallFile(file, STATE_FILE_LIMIT)
  return bytes ? { hash: sha256(bytes).toString('hex'), mode: mode ?? 0 } : ABSENT
}
