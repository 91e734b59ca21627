import { expect, test } from 'vitest'
import { toGitPath } from '../../../../src/main/engine/git/git-folder.ts'

test('[WT-4] paths in files of git have slashes on Windows, and stay as they are elsewhere', () => {
  expect(toGitPath('C:\\work\\tree\\.git', '\\')).toBe('C:/work/tree/.git')
  expect(toGitPath('/work/a\\b/.git', '/')).toBe('/work/a\\b/.git')
})
