import { expect, test } from 'vitest'
import { toGitPath } from '../../../../src/main/engine/git/git-folder.ts'

test('[WT-4] paths in files of git have slashes on Windows, and stay as they are elsewhere', () => {
  expect(toGitPath('C:\\shop\\fix\\.git', '\\')).toBe('C:/shop/fix/.git')
  expect(toGitPath('/shop/a\\b/.git', '/')).toBe('/shop/a\\b/.git')
})
