/** [CP-5] Recording leaves no trace in the recorded folder, except in the link counts of git's objects. */
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'

/** A link changes these of its file. */
const OBJECT = /^\.git\/objects\/[0-9a-f]{2}\//

test('[CP-5] recording changes no content, time or name in the folder, and nothing in .git', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'two', link: { link: 'a' }, empty: null } })
  execFileSync('git', ['init', '-q'], { cwd: folder.root })
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'x', '--allow-empty'], {
    cwd: folder.root
  })
  const whole = (): string[] =>
    (readdirSync(folder.root, { recursive: true }) as string[]).sort().map((name) => {
      const { mode, size, ino, mtimeMs, ctimeMs, uid, gid, nlink } = lstatSync(join(folder.root, name))
      const byLink = OBJECT.test(name) ? [] : [ctimeMs, nlink]
      return JSON.stringify([name, mode, size, ino, mtimeMs, uid, gid, ...byLink])
    })
  const before = whole()
  await folder.check()
  await folder.checkpoint('here')
  await folder.reopen()
  await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  await folder.plan({ kind: 'restore', target: 'seq:0' })
  const run = await folder.run('nothing', () => {})
  await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  expect(whole()).toEqual(before)
})
