/** The tables of a repository, or of a worktree's own folder in it, as git has them now. */
import { closeSync, existsSync, fstatSync, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { isNotFound } from '../../files/fs-errors.ts'
import { READ_FLAGS, readSmallFile } from '../../files/read-small-file.ts'
import { fileSource, type TableSource, UnreadableTable } from './source.ts'
import { createStack, type RefStack } from './stack.ts'
import { openTable } from './table.ts'

/** The folder of the tables, and in it the list of those in force, the oldest first. */
export const TABLES = 'reftable'
export const TABLE_LIST = 'tables.list'

/** Git keeps the refs of this folder in tables, not in files. */
export function isReftable(gitDir: string): boolean {
  return existsSync(join(gitDir, TABLES))
}

/** The names in a list; null if one of them could lead elsewhere. */
export function parseTableList(list: Buffer): string[] | null {
  const names = list.toString('latin1').split('\n').filter(Boolean)
  return names.every((name) => /^[0-9A-Za-z][\w.-]*$/.test(name)) ? names : null
}

/** Empty where git has not written it yet. */
export function readTableList(gitDir: string): Buffer {
  return readSmallFile(join(gitDir, TABLES, TABLE_LIST), 2 ** 20) ?? Buffer.alloc(0)
}

/** Git may compact tables between the list and the first read of them, again and again. */
const TRIES = 20

/**
 * Calls `use` with the present tables, which are open meanwhile: git may delete them. Throws UnreadableTable.
 */
export function withLiveStack<T>(gitDir: string, use: (stack: RefStack) => T): T {
  for (let tries = 0; ; tries++) {
    const opened: number[] = []
    try {
      const sources = openTables(gitDir, opened)
      if (sources) return use(createStack(sources.map(openTable)))
      if (tries === TRIES) throw new UnreadableTable('a table is missing')
    } finally {
      for (const fd of opened) closeSync(fd)
    }
  }
}

/** Null if a table is missing. */
function openTables(gitDir: string, opened: number[]): TableSource[] | null {
  const names = parseTableList(readTableList(gitDir))
  if (!names) throw new UnreadableTable('the list names no tables')
  const sources: TableSource[] = []
  for (const name of names) {
    const fd = openFile(join(gitDir, TABLES, name))
    if (fd === null) return null
    opened.push(fd)
    sources.push(fileSource(fd, fstatSync(fd).size))
  }
  return sources
}

function openFile(path: string): number | null {
  try {
    if (lstatSync(path).isFile()) return openSync(path, READ_FLAGS)
  } catch (error) {
    if (isNotFound(error)) return null
    throw new UnreadableTable('a table cannot be opened')
  }
  throw new UnreadableTable('a table is no file')
}
