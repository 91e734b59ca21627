/** [RS-3] With a read-only history nothing is restored, since the guard cannot be stored. */
import { chmodSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'
import { asUnprivilegedUser } from '../../../support/unprivileged-user.ts'

test(
  '[RS-3] with a read-only history, a restore writes nothing and reports why; once it is writable, it succeeds',
  { tags: ['posix'] },
  () =>
    asUnprivilegedUser(async () => {
      await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
      const before = folder.tree()
      const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
      const after = folder.tree()
      await folder.engine.close()
      const place = dirname(storeFile(folder.dataDir, folder.workspace))
      const lock = (file: number, at: number): void => {
        for (const name of readdirSync(place).filter((one) => one.startsWith('store.db')))
          chmodSync(join(place, name), file)
        chmodSync(place, at)
      }
      lock(0o400, 0o500)
      await folder.reopen()
      await expect(folder.apply({ kind: 'undo-run', run })).rejects.toMatchObject({
        code: 'Refused',
        message: expect.stringMatching(/history cannot be written \(no write permission.*Your project was not changed/)
      })
      expect(folder.tree()).toEqual(after)
      lock(0o600, 0o700)
      expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
      expect(folder.tree()).toEqual(before)
    })
)
