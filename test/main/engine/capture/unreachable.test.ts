import { expect, test } from 'vitest'
import { missingText } from '../../../../src/contract/words/watching.ts'
import { unreachable } from '../../../../src/main/engine/capture/presence.ts'

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
