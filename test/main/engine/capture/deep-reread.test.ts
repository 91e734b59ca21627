/** Paths that are read whatever their stat, as after a restore that did not write all of them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createIgnoreRules } from '../../../../src/main/engine/capture/ignore-rules.ts'
import { reconcile } from '../../../../src/main/engine/capture/reconcile.ts'
import { ORDINARY_EDITS, outsideAuthor } from '../../../../src/main/engine/drift/drifts.ts'
import { lstatSignature } from '../../../../src/main/engine/files/signature.ts'
import { deleteEvictedChunks, evictChunked } from '../../../../src/main/engine/store/evictions.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { openStore, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { transact, type Writable } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

test('[LG-6] content with parts that a sweep evicts before its edit is recorded is recorded by the next scan', async () => {
  const former = Buffer.from('former\n'.repeat(300_000))
  const present = Buffer.from('present\n'.repeat(300_000))
  await using folder = await recordedFolder({ files: { large: former, removed: present } })
  const file = join(folder.root, 'large')
  writeFileSync(file, present)
  const store = openStore(storeFile(folder.dataDir, folder.workspace))
  try {
    // As on a disk whose times are wrong: the recorded stat is that of the present content, and old enough to be trusted.
    const head = store.records.head('large')
    transact(store, (tx) => tx.records.setSignature(head?.id ?? 0, lstatSignature(file), Date.now() + 10_000))
    const sweep = (): ReadonlySet<string> => {
      transact(store, (tx) => {
        const id = store.content.find(sha256(present)) ?? 0
        expect([evictChunked(tx, id), deleteEvictedChunks(tx, id, 100)]).toEqual([true, true])
      })
      return new Set()
    }
    const { root } = folder
    const context = { root, store, rules: createIgnoreRules(root), boundaries: new Set<string>(), now: Date.now }
    const record = async (skip: () => ReadonlySet<string>): Promise<string[]> => {
      const scope = { paths: ['large'], trees: [] }
      const author = (tx: Writable<Store>) => () => outsideAuthor(tx, ORDINARY_EDITS, Date.now())
      const { edits } = await reconcile(context, scope, author, { deep: true, skip })
      return edits.map(({ path }) => path)
    }
    await expect(record(sweep)).rejects.toThrow('removed from the history while')
    expect(await record(() => new Set())).toEqual(['large'])
    const after = store.records.version(store.records.head('large')?.version ?? 0)
    expect(store.content.get(after.content ?? 0, after.size).equals(present)).toBe(true)
  } finally {
    store.close()
  }
})
