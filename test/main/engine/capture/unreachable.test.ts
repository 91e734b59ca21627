import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missingText } from '../../../../src/contract/words/watching.ts'
import { missingReason, unreachable } from '../../../../src/main/engine/capture/presence.ts'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

test('[DR-1] a folder that macOS does not let us read is reported with the setting that allows it', () => {
  expect(missingText(unreachable('EPERM', 'darwin'))).toMatch(
    /Privacy & Security, Files and Folders \(x-apple\.systempreferences:/
  )
  for (const [code, platform] of [
    ['EPERM', 'linux'],
    ['EIO', 'darwin']
  ] as const)
    expect(missingText(unreachable(code, platform))).toBe(
      `The folder cannot be reached (${code}). Its disk may be disconnected.`
    )
})

test('[DR-1] an empty folder on another disk than the recorded one is a mount point without its disk; a filled one is present', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const { root } = folder
  folder.store((store) => {
    transact(store, (tx) => writeMeta(tx, 'disk', 'another'))
    expect(missingReason(root, store)).toBeNull()
    remove(root, 'a')
    expect(missingReason(root, store)).toEqual({ code: 'unmounted' })
    expect(missingReason(root, null), 'without its history nothing says so').toBeNull()
    expect(missingReason(join(root, 'b'), store)).toEqual({ code: 'gone' })
    writeFiles(root, { b: 'new' })
    expect(missingReason(root, store)).toBeNull()
    expect(missingReason(join(root, 'b'), store), 'a file is no folder').toEqual({ code: 'gone' })
  })
})
