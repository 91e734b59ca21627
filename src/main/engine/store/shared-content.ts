/**
 * Contents that the history of a worktree reads from that of the main folder (codec SHARED), so that a new worktree stores
 * only what differs. Meta `parent` names that history, a folder beside this one. The bytes stay there as long as this
 * history exists: the main one keeps the position at which they were in force (table `worktree`).
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from './database.ts'
import { readMeta } from './meta.ts'
import { all, column, type Readable, run, scalar, type Writable } from './sql.ts'

/** Bytes. Larger content is streamed. */
export const MAX_WHOLE = 8 * 1024 * 1024

interface SharedContents {
  /** Verified bytes; null if the main history does not hold them. */
  read(hash: Buffer, size: number): Buffer | null
  /** False if the main history does not hold them. */
  stream(hash: Buffer, size: number, onChunk: (chunk: Buffer) => void): boolean
  close(): void
}

const SHARED_BY = new WeakMap<Db, SharedContents>()

/** Null for a history that shares nothing. */
export function sharedContents({ db }: Readable): SharedContents | null {
  return SHARED_BY.get(db) ?? null
}

/** Contents of another history, opened to read. */
interface OpenedContents {
  readonly content: {
    find(hash: Buffer): number | null
    get(id: number, size: number): Buffer
    stream(id: number, onChunk: (chunk: Buffer) => void, size?: number): void
  }
  close(): void
}

/** Lets `store` read from the history that its meta `parent` names. `open` is called when the first content is needed. */
export function registerSharedContents(store: Readable, file: string, open: (file: string) => OpenedContents): void {
  let opened: OpenedContents | null = null
  const find = (hash: Buffer): { content: OpenedContents['content']; id: number } | null => {
    const parent = readMeta(store, 'parent')
    if (parent === null) return null
    const parentFile = historyBeside(file, parent)
    // Checked each time: on POSIX, a deleted history could still be read through an open connection.
    if (!existsSync(parentFile)) return null
    opened ??= open(parentFile)
    const id = opened.content.find(hash)
    return id === null ? null : { content: opened.content, id }
  }
  SHARED_BY.set(store.db, {
    read: (hash, size) => {
      const found = find(hash)
      try {
        return found ? found.content.get(found.id, size) : null
      } catch (error) {
        if (isNotHeld(error)) return null
        throw error
      }
    },
    stream: (hash, size, onChunk) => {
      const found = find(hash)
      found?.content.stream(found.id, onChunk, size)
      return found !== null
    },
    close: () => opened?.close()
  })
}

/** The store that a worktree's history shares contents with; for any other history `file` itself. */
export function mainHistoryOf(store: Readable, file: string): string {
  const parent = readMeta(store, 'parent')
  return parent === null ? file : historyBeside(file, parent)
}

/** The store of another workspace of the same data folder. */
export function historyBeside(file: string, workspace: string): string {
  return join(dirname(dirname(file)), workspace, basename(file))
}

// ---- table `worktree`, of the main folder's history

/** From now on what is in force at `seq` stays for that workspace. */
export function keepForWorktree(tx: Writable<Readable>, workspace: string, seq: number): void {
  run(tx, 'INSERT OR IGNORE INTO worktree VALUES (?, ?)', workspace, seq)
}

/** The first position at which that workspace shares contents; null if it shares none. */
export function positionForWorktree(store: Readable, workspace: string): number | null {
  return scalar(store, 'SELECT min(seq) FROM worktree WHERE workspace = ?', workspace)
}

/** Workspaces whose histories may read from this one. */
export function worktreesSharing(store: Readable): string[] {
  return column(store, 'SELECT DISTINCT workspace FROM worktree')
}

/** Positions that histories of worktrees need. `file`: of this store. A history that was deleted needs none. */
export function positionsOfWorktrees(store: Readable, file: string): number[] {
  const rows = all<{ workspace: string; seq: number }>(store, 'SELECT workspace, seq FROM worktree')
  return rows.filter(({ workspace }) => existsSync(historyBeside(file, workspace))).map(({ seq }) => seq)
}

/** Names a content of the other history, which means nothing here. */
function isNotHeld(error: unknown): boolean {
  return error instanceof DriftlineError && ['NotStored', 'StoreDamaged'].includes(error.code)
}
