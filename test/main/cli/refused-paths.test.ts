/** [UI-2] Paths that a command cannot use are refused with a sentence, never with an internal error or a name that is missing. */
import { expect, test } from 'vitest'
import { createCliProject } from './cli-project.ts'

const LONG = 'x'.repeat(300)

test('[UI-2] a missing file, a name that no disk takes, a folder, and the recorded folder itself', async () => {
  const project = createCliProject()
  try {
    project.write('a.txt', 'one\n')
    await project.add()
    const refusals: readonly (readonly [readonly string[], number, string])[] = [
      [['open', LONG], 5, 'There is nothing at '],
      // Windows says that there is none.
      [['add', LONG], process.platform === 'win32' ? 5 : 1, 'Check the path'],
      [['apply', 'none'], 5, 'There is nothing at '],
      [['apply', 'a.txt/none'], 5, 'There is nothing at '],
      [['apply', '.'], 3, 'is not a bundle'],
      [['blame', '.'], 2, 'PATH is the whole folder'],
      [['history', '.'], 2, 'PATH is the whole folder'],
      [['cat', 'latest', '.'], 2, 'PATH is the whole folder'],
      [['connect', LONG], 2, 'at most 200 characters']
    ]
    for (const [words, code, message] of refusals) {
      const refused = await project.call(words)
      expect([words, refused.code, refused.err]).toEqual([words, code, expect.stringContaining(message)])
    }
  } finally {
    project.remove()
  }
})
