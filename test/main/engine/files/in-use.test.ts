/** Waiting for files that another program holds open, without a disk. */
import { expect, test } from 'vitest'
import { itemReasonText } from '../../../../src/contract/words/restore-reasons.ts'
import { createPatience, eachWhenFree, isInUse, type Patience } from '../../../../src/main/engine/files/in-use.ts'
import { fsErrorReason } from '../../../../src/main/engine/restore/fs-error-reason.ts'

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })
}

/** Counts its pauses, and does not wait. */
function countingPatience(pauses: number): Patience & { taken: number } {
  const patience = {
    taken: 0,
    pause: async () => {
      if (patience.taken === pauses) return false
      patience.taken++
      return true
    }
  }
  return patience
}

const items = (...paths: readonly string[]): { readonly path: string }[] => paths.map((path) => ({ path }))

/** Runs steps of which those in `busy` fail so often; returns the order of what was done, and of what failed. */
async function work(paths: readonly string[], busy: Record<string, number>, pauses = 100) {
  const patience = countingPatience(pauses)
  const [done, failed]: [string[], string[]] = [[], []]
  await eachWhenFree(
    patience,
    items(...paths),
    ({ path }) => {
      if ((busy[path] ?? 0) > 0) {
        busy[path] = (busy[path] ?? 0) - 1
        throw systemError('EBUSY', 'rename')
      }
      done.push(path)
    },
    ({ path }) => void failed.push(path)
  )
  return { done, failed, pauses: patience.taken }
}

test('[RS-15] EBUSY is a file in use everywhere; EPERM, EACCES and ENOTEMPTY only on Windows, and only of a change of names', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    for (const call of ['rename', 'unlink', 'rmdir', 'open'])
      expect(isInUse(systemError('EBUSY', call), platform)).toBe(true)
  for (const code of ['EPERM', 'EACCES', 'ENOTEMPTY']) {
    expect(isInUse(systemError(code, 'rename'), 'win32')).toBe(true)
    expect(isInUse(systemError(code, 'open'), 'win32')).toBe(false)
    expect(isInUse(systemError(code, 'rename'), 'linux')).toBe(false)
    expect(isInUse(systemError(code, 'rename'), 'darwin')).toBe(false)
  }
  expect(isInUse(systemError('ENOENT', 'rename'), 'win32')).toBe(false)
  expect(isInUse(new Error('a bug'), 'win32')).toBe(false)
})

test('[RS-15] a refusal on Windows names both of its causes', () => {
  for (const code of ['EPERM', 'EACCES']) {
    const error = systemError(code, 'rename')
    expect(itemReasonText(fsErrorReason(error, 'win32'))).toBe('it is open in another program, or permission is denied')
    expect(itemReasonText(fsErrorReason(error, 'linux'))).toMatch(
      code === 'EPERM' ? /^not permitted/ : /^permission denied: it or its folder may be read-only$/
    )
  }
})

test('[RS-15] where nothing is in use there is no pause, and the order stays', async () => {
  expect(await work(['a', 'b', 'c'], {})).toEqual({ done: ['a', 'b', 'c'], failed: [], pauses: 0 })
})

test('[RS-15] an item in use goes to the end of the queue, and the others continue', async () => {
  expect(await work(['a', 'b', 'c'], { a: 2 })).toEqual({ done: ['b', 'c', 'a'], failed: [], pauses: 2 })
})

test('[RS-15] what is above or below an item in use keeps its place after it', async () => {
  const { done } = await work(['d/e/f', 'd/e', 'd', 'x'], { 'd/e/f': 1 })
  expect(done).toEqual(['x', 'd/e/f', 'd/e', 'd'])
  expect((await work(['d', 'd/e', 'dd'], { d: 1 })).done).toEqual(['dd', 'd', 'd/e'])
})

test('[RS-15] an item that stays in use fails; what waited only for it is done', async () => {
  const { done, failed } = await work(['d/a', 'd', 'x'], { 'd/a': 99 }, 3)
  expect([done, failed]).toEqual([['x', 'd'], ['d/a']])
})

test('[RS-15] the pauses of 10,000 items in use are those of one', async () => {
  const paths = Array.from({ length: 10_000 }, (_, n) => `f${n}`)
  const busy = Object.fromEntries(paths.map((path) => [path, 3]))
  const { done, failed, pauses } = await work(paths, busy)
  expect([done.length, failed.length, pauses]).toEqual([10_000, 0, 3])
})

test('[RS-15] all pauses together take the time given, and no longer', async () => {
  const patience = createPatience(25)
  expect([await patience.pause(0), await patience.pause(1), await patience.pause(2)]).toEqual([true, true, false])
  const fresh = createPatience()
  expect(await fresh.pause(1000), 'after seconds in which nothing became free').toBe(false)
})
