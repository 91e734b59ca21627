/** The tables of refs in kept states (reftable): their bytes are kept like those of any file. */
import { parseTableList, TABLE_LIST, TABLES } from '../git/reftable/live-stack.ts'
import { bufferSource, UnreadableTable } from '../git/reftable/source.ts'
import { createStack, type RefStack } from '../git/reftable/stack.ts'
import { openTable, type Table } from '../git/reftable/table.ts'
import { type GitStore, readGitContent } from '../store/git-store.ts'

/** The content of a file in a state: its hash in hex; undefined if the state has no such file. */
type HashOf = (path: string) => string | undefined

interface KeptTables {
  /**
   * Of the repository, or of a worktree's own folder in it (`worktrees/NAME/`); null if that state has no tables. Throws
   * StoreDamaged and UnreadableTable.
   */
  stack(own: string, hashOf: HashOf): RefStack | null
}

/** Reads each table once, however many states have it. */
export function createKeptTables(store: GitStore): KeptTables {
  let opened = new Map<string, Table>()
  const bytesOf = (hash: string): Buffer => readGitContent(store, Buffer.from(hash, 'hex'))
  return {
    stack: (own, hashOf) => {
      const folder = `${own}${TABLES}`
      const list = hashOf(`${folder}/${TABLE_LIST}`)
      if (list === undefined) return null
      const names = parseTableList(bytesOf(list))
      if (!names) throw new UnreadableTable('the list names no tables')
      const tables = names.map((name): [string, Table] => {
        const hash = hashOf(`${folder}/${name}`)
        if (hash === undefined) throw new UnreadableTable('a table is missing')
        return [hash, opened.get(hash) ?? openTable(bufferSource(bytesOf(hash)))]
      })
      // Those of the state before are in most cases those of the next.
      opened = new Map(tables)
      return createStack(tables.map(([, table]) => table))
    }
  }
}
