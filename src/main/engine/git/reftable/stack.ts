/** The refs of a repository or worktree: a list of tables, of which a later one overrides those before. */
import type { Table } from './table.ts'

export interface RefStack {
  /** Of the next transaction. */
  readonly nextIndex: number
  /** An object id, or `ref: NAME`; '' if the ref is absent. */
  ref(name: string): string
  /** All that exist, HEAD and the like among them. */
  refs(): Map<string, string>
  /** The lines of a reflog with their transactions, the oldest first. */
  log(name: string): { index: number; line: string }[]
  /** The same, the newest first, as far as they are wanted: of each table, and so not strictly in their order. */
  newestLog(name: string): Generator<string>
}

/** `tables`: the oldest first. */
export function createStack(tables: readonly Table[]): RefStack {
  return {
    nextIndex: Math.max(0, ...tables.map(({ maxIndex }) => maxIndex)) + 1,
    ref: (name) => {
      for (const table of tables.toReversed()) {
        const value = table.ref(name)
        if (value !== null) return value
      }
      return ''
    },
    refs: () => {
      const found = new Map<string, string>()
      for (const table of tables)
        for (const [name, value] of table.refs())
          if (value === '') found.delete(name)
          else found.set(name, value)
      return found
    },
    log: (name) => {
      const lines = new Map<number, string | null>()
      for (const table of tables) for (const { index, line } of table.log(name)) lines.set(index, line)
      return [...lines]
        .flatMap(([index, line]) => (line === null ? [] : [{ index, line }]))
        .sort((a, b) => a.index - b.index)
    },
    newestLog: function* (name) {
      for (const table of tables.toReversed()) for (const { line } of table.log(name)) if (line !== null) yield line
    }
  }
}
