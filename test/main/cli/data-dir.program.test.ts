/** [PR-2] A data folder that is not the user's own: whoever controls it could read or forge a history. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOOK } from '../../support/programs.ts'
import { readTree } from '../../support/tree.ts'
import { type CliProject, createCliProject } from './cli-project.ts'

/** The user "nobody". */
const NOBODY = 65534

let project: CliProject

beforeEach(async () => {
  project = createCliProject()
  project.write('a.txt', 'one\n')
  await project.add()
})
afterEach(() => project.remove())

describe.each([
  ['of another user', ['root'], () => chownSync(project.data, NOBODY, NOBODY), /it belongs to another user/],
  ['others can write to', ['posix'], () => chmodSync(project.data, 0o770), /other users can write to it/]
])('one %s', { tags: ['posix'] }, (_, tags, giveAway, reason) => {
  test('[PR-2] a command refuses it, and a hook is silent; nothing in it changes', { tags }, async () => {
    giveAway()
    const before = readTree(project.data)
    const status = await project.call(['status'])
    expect(status.code).toBe(2)
    expect(status.err).toMatch(reason)
    expect(status.err).toMatch(/Nothing was changed\. Choose another folder/)
    const input = JSON.stringify({ session_id: 's', prompt_id: 'p', prompt: 'Add a secret', cwd: project.root })
    const words = [HOOK, 'hook', 'claude-code', 'UserPromptSubmit']
    const hook = spawnSync(process.execPath, words, { env: project.env, input, encoding: 'utf8' })
    expect(hook).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readTree(project.data)).toEqual(before)
  })
})
