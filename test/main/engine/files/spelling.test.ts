/** Spellings in a folder that is moved away at that moment. */
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSpelling, foldOf } from '../../../../src/main/engine/files/spelling.ts'
import { tempFolder } from '../../../support/tmp.ts'

test('a folder that was moved away folds no names, and says nothing about their spelling', () => {
  using temp = tempFolder()
  rmSync(temp.path, { recursive: true })
  expect([foldOf(temp.path), createSpelling(temp.path).isExact('a')]).toEqual([null, true])
})
