/** A recorded folder that moved is found again from the command line, with its history. */
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePlace, type Place } from './place.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

test('[B24] a folder that moved is told with the way to name its new place, and goes on with its history there', async () => {
  place.write('project/a.txt', 'one\n')
  const [old, now] = [join(place.root, 'project'), join(place.root, 'renamed')]
  await place.call(['add', old])
  await place.call(['--folder', old, 'checkpoint', '-m', 'before the move'])
  renameSync(old, now)
  const gone = await place.call(['--folder', old, 'status'])
  expect(gone.out.toString()).toContain(`driftline locate ${old} NEW`)
  const unknown = await place.call(['--folder', now, 'status'])
  expect([unknown.code, unknown.err]).toEqual([5, expect.stringContaining(old)])

  mkdirSync(join(place.root, 'other'))
  await place.call(['add', join(place.root, 'other')])
  expect((await place.json(['locate', old, join(place.root, 'other')])).code).toBe(3)
  expect((await place.json(['locate', join(old, 'sub'), now])).code).toBe(5)
  const located = await place.json<{ workspace: { root: string } }>(['locate', old, now])
  expect([located.code, located.doc.workspace.root]).toEqual([0, now])
  const { doc } = await place.json<{ entries: { title: string }[] }>(['--folder', now, 'log'])
  expect(doc.entries.map((entry) => entry.title)).toEqual(['before the move'])
})
