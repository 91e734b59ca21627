/** An unused fork is removed; everything else in the agent's folder stays as it is. */
import { appendFileSync, existsSync, linkSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { removeOldForks } from '../../../../src/main/engine/agents/unused-forks.ts'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent, type TranscriptAgent } from '../../../support/transcript-agent.ts'
import { readTree } from '../../../support/tree.ts'

const DAY = 24 * 3600_000

/** A restored conversation, and the fork it made. */
async function forked(folder: RecordedFolder): Promise<{ agent: TranscriptAgent; fork: string; id: string }> {
  const agent = createTranscriptAgent(folder)
  await agent.say('one', 'did one')
  const turn = await agent.say('two', 'did two', () => writeFileSync(join(folder.root, 'a'), '1'))
  const { conversation } = await folder.apply({ kind: 'restore', target: turn })
  const id = conversation!.resume!.argv.at(-1)!
  const fork = join(dirname(agent.transcript), `${id}.jsonl`)
  expect(existsSync(fork)).toBe(true)
  return { agent, fork, id }
}

function tidy(folder: RecordedFolder, days: number): void {
  const { root, home } = folder
  folder.store((store) =>
    removeOldForks({ root, home, store, now: () => Date.now() + days * DAY, testCommands: () => [] })
  )
}

const agentFiles = (folder: RecordedFolder) => readTree(join(folder.home, '.claude'))

test('after 30 days, and only that file; redo writes another', async () => {
  await using folder = await recordedFolder()
  const { fork } = await forked(folder)
  tidy(folder, 29)
  expect(existsSync(fork)).toBe(true)
  const { [`projects/-project/${basename(fork)}`]: _, ...others } = agentFiles(folder)
  tidy(folder, 31)
  expect(agentFiles(folder)).toEqual(others)
  await folder.apply({ kind: 'undo' })
  const { conversation } = await folder.apply({ kind: 'redo' })
  const again = join(dirname(fork), `${conversation!.resume!.argv.at(-1)}.jsonl`)
  expect([again === fork, existsSync(again)]).toEqual([false, true])
})

test('the host removes it by itself', async () => {
  const clock = createManualClock()
  await using folder = await recordedFolder({ clock })
  const { fork } = await forked(folder)
  await folder.engine.close()
  const { dataDir, home } = folder
  const host = { host: 'server', watch: true, programs: { ingest: INGEST_PROGRAM } } as const
  folder.engine = await createEngine({ dataDir, home, clock, ...host })
  clock.jump(31 * DAY)
  await expect.poll(() => existsSync(fork), { timeout: 10_000 }).toBe(false)
})

test('with its conversation, when that is deleted', async () => {
  await using folder = await recordedFolder()
  const { agent, fork } = await forked(folder)
  const old = readFileSync(agent.transcript)
  await folder.engine.call('sessions.delete', { workspace: folder.workspace, session: agent.session })
  expect(existsSync(fork)).toBe(false)
  expect(readFileSync(agent.transcript).equals(old), "the agent's own stays").toBe(true)
})

describe('stays', () => {
  type Change = (fork: string, folder: RecordedFolder, id: string) => Promise<void> | void
  const changes: readonly [name: string, Change, needs?: string[]][] = [
    [
      'when its agent has resumed it',
      async (_, folder, id) => {
        await createTranscriptAgent(folder, id).send('UserPromptSubmit', { prompt: 'three', prompt_id: 'p3' })
      }
    ],
    ['when one byte was added', (fork) => appendFileSync(fork, '\n')],
    [
      'when it was replaced by a link',
      (fork, { home }) => {
        renameSync(fork, join(home, 'elsewhere'))
        symlinkSync(join(home, 'elsewhere'), fork)
      },
      ['links']
    ],
    [
      'when its folder is a link now',
      (fork, { home }) => {
        renameSync(dirname(fork), join(home, 'elsewhere'))
        symlinkSync(join(home, 'elsewhere'), dirname(fork))
      },
      ['links']
    ],
    [
      'when another file has its name',
      (fork) => {
        renameSync(fork, `${fork}.kept`)
        writeFileSync(fork, 'another file\n')
      }
    ]
  ]
  for (const [name, change, needs = []] of changes)
    test(name, { tags: needs }, async () => {
      await using folder = await recordedFolder()
      const { fork, id } = await forked(folder)
      await change(fork, folder, id)
      const before = readTree(folder.home)
      tidy(folder, 31)
      expect(readTree(folder.home)).toEqual(before)
      expect(existsSync(fork)).toBe(true)
    })

  test('a file with the same bytes under another name', async () => {
    await using folder = await recordedFolder()
    const { fork } = await forked(folder)
    linkSync(fork, `${fork}.kept`)
    const bytes = readFileSync(fork)
    tidy(folder, 31)
    expect([existsSync(fork), readFileSync(`${fork}.kept`).equals(bytes)]).toEqual([false, true])
  })
})
