/**
 * Stores which files of git's state changed, as one new state. Their stamps are stored, too: a recorder that starts reads only what
 * changed since the last one.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readSmallFile } from '../files/read-small-file.ts'
import type { Clock } from '../ports/clock.ts'
import {
  deleteGitStamp,
  type GitFileRow,
  type GitStore,
  gitFilesAt,
  gitStamps,
  insertGitFile,
  insertGitState,
  lastGitState,
  putGitContent,
  setGitStamp,
  unendedGitRuns
} from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import type { Writable } from '../store/sql.ts'
import { UNLINKED, WORKTREE_LINK } from './git-place.ts'
import { LINK_MODE, readLink } from './link-files.ts'
import { onDisk } from './names-on-disk.ts'
import { isOldStamp, isTable, STATE_FILE_LIMIT, type StateFile } from './state-files.ts'

interface FoundFiles {
  /** The folder with refs and objects; null without a repository. */
  readonly gitDir: string | null
  readonly files: readonly StateFile[]
  /** Paths that no longer exist; null if `files` are all whose paths match `among`. */
  readonly gone: readonly string[] | null
  readonly among: RegExp
}

/** Git deleted a table since it was listed: no part of what was listed may be stored. */
export class TableGone extends Error {
  constructor() {
    super('Git changed its refs again and again while they were read.')
    this.name = 'TableGone'
  }
}

export interface WriterOptions {
  /** As of a place of git. */
  link(): Buffer | 'absent' | null
  expectedLink(): Buffer | null
  isWorktree(): boolean
  readonly store: Store
  readonly clock: Clock
}

interface KnownFiles {
  /** The files at the newest state. */
  readonly current: Map<string, GitFileRow>
  /** The stamps that they had when they were read last. */
  readonly stamps: Map<string, string>
}

/** The state that a transaction makes, as soon as a file differs. */
interface NewState extends KnownFiles {
  id: number | null
  /** Returns the id. */
  begin(): number
}

export function createStateWriter(options: WriterOptions) {
  /** As stored; null until they are needed. */
  let stamps: Map<string, string> | null = null
  let current = new Map<string, GitFileRow>()
  let currentState: number | undefined

  const isKnown = ({ path, stamp }: StateFile): boolean => current.has(path) && stamps?.get(path) === stamp
  /** Null if it is unreadable, or replaced this moment: what is known stays. */
  const read = (gitDir: string, { path, mode, bytes }: StateFile): Buffer | null => {
    const file = onDisk(gitDir, path)
    return bytes ?? (mode === LINK_MODE ? readLink(file) : readSmallFile(file, STATE_FILE_LIMIT))
  }
  const writeFile = (tx: Writable<GitStore>, state: NewState, gitDir: string, file: StateFile): void => {
    const { path, stamp, mode } = file
    if (isKnown(file)) return
    const bytes = read(gitDir, file)
    if (bytes === null) return
    writeVersion(tx, state, path, mode, putGitContent(tx, bytes))
    if (isOldStamp(stamp)) writeStamp(tx, state, path, stamp)
  }
  /** New tables are read before anything is stored. */
  const withTables = (gitDir: string, files: readonly StateFile[]): StateFile[] =>
    files.map((file) => {
      if (!isTable(file.path) || isKnown(file)) return file
      const bytes = read(gitDir, file)
      if (bytes === null && !existsSync(join(gitDir, file.path))) throw new TableGone()
      return bytes ? { ...file, bytes } : file
    })

  return {
    /** Throws TableGone. */
    write: (tx: Writable<GitStore>, { gitDir, files, gone, among }: FoundFiles): void => {
      const last = lastGitState(tx)
      if (currentState !== last?.id)
        current = new Map((last ? gitFilesAt(tx, last.id) : []).map((row) => [row.path, row]))
      stamps ??= gitStamps(tx)
      const found = gitDir === null ? [] : withTables(gitDir, files)
      const state = newState(tx, options, { current, stamps })
      const absent = gone ?? pathsNotIn(current, files, among)
      if (gitDir !== null) for (const file of found) writeFile(tx, state, gitDir, file)
      for (const path of absent) if (path !== WORKTREE_LINK && among.test(path)) writeAbsence(tx, state, path)
      const link = gitDir === null || options.isWorktree() ? null : options.link()
      writeLink(tx, state, link, options.expectedLink)
      // Runs refer to a state.
      if (!last && state.id === null) state.id = insertGitState(tx, { seq: 0, at: options.clock.now(), run: null })
      currentState = state.id ?? last?.id
    },
    /** The repository is another one, or a transaction failed. */
    forget: (): void => {
      stamps = null
      current = new Map()
      currentState = undefined
    }
  }
}

function newState(tx: Writable<GitStore>, { store, clock }: WriterOptions, known: KnownFiles): NewState {
  // Of a run that begins now, nothing can be yet.
  const runs = unendedGitRuns(tx)
  const run = runs.length === 1 ? (runs[0] ?? null) : null
  const state: NewState = {
    ...known,
    id: null,
    begin: () => {
      state.id ??= insertGitState(tx, { seq: store.records.lastSeq(), at: clock.now(), run })
      return state.id
    }
  }
  return state
}

function writeVersion(tx: Writable<GitStore>, state: NewState, path: string, mode: number, hash: Uint8Array): void {
  const before = state.current.get(path)
  if (before?.hash && before.mode === mode && Buffer.from(before.hash).equals(hash)) return
  const row = { path, state: state.begin(), mode, hash }
  insertGitFile(tx, row)
  state.current.set(path, row)
}

/** Where only the link is gone, it stays known: it leads to the repository. */
function writeLink(
  tx: Writable<GitStore>,
  state: NewState,
  link: Buffer | 'absent' | null,
  expected: () => Buffer | null
): void {
  const former = state.current.get(WORKTREE_LINK)?.hash
  const hashOf = (bytes: Buffer | null) => bytes && putGitContent(tx, bytes)
  const hash = link === 'absent' ? (former ?? hashOf(expected())) : hashOf(link)
  if (hash) writeVersion(tx, state, WORKTREE_LINK, link === 'absent' ? UNLINKED : 0o644, hash)
  else writeAbsence(tx, state, WORKTREE_LINK)
}

function writeStamp(tx: Writable<GitStore>, { stamps }: NewState, path: string, stamp: string): void {
  setGitStamp(tx, path, stamp)
  stamps.set(path, stamp)
}

function writeAbsence(tx: Writable<GitStore>, state: NewState, path: string): void {
  if (state.stamps.delete(path)) deleteGitStamp(tx, path)
  if (!state.current.delete(path)) return
  insertGitFile(tx, { path, state: state.begin(), mode: 0, hash: null })
}

function pathsNotIn(current: ReadonlyMap<string, GitFileRow>, files: readonly StateFile[], among: RegExp): string[] {
  const found = new Set(files.map(({ path }) => path))
  return [...current.keys()].filter((path) => among.test(path) && !found.has(path))
}
