/** The process of an automatic backup. */
import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runBackup } from '../../../../src/main/engine/workspaces/backup-process.ts'
import { tempFolder } from '../../../support/tmp.ts'

test('[BK-3] its low priority is never that of a recorder: it may start none', { tags: ['posix'] }, async () => {
  using temp = tempFolder()
  const cli = join(temp.path, 'cli.cjs')
  // The priority is lowered right after its start.
  writeFileSync(
    cli,
    `const { getPriority } = require('node:os')
const wait = () => getPriority() < ${constants.priority.PRIORITY_BELOW_NORMAL} ? setTimeout(wait, 1) : console.log(getPriority(), process.env.DRIFTLINE_RECORDER)
wait()`
  )
  const end = await runBackup({ cli, dataDir: temp.path, repository: 'r' })
  expect(end).toEqual({ ok: true, message: `${constants.priority.PRIORITY_BELOW_NORMAL} off` })
})
