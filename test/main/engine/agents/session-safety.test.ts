/**
 * [Security] Session ids, transcript paths and the files written beside them never reach a shell, an option, or
 * another folder.
 */
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shellWord } from '../../../../src/contract/words/shell.ts'
import { writeSettings } from '../../../../src/main/engine/agents/connect/settings-file.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'

const sessions = async (folder: RecordedFolder) =>
  (await folder.engine.call('sessions.list', { workspace: folder.workspace })).sessions

describe('session ids', () => {
  test('with separators, spaces, signs of a shell, other letters, none, or too many are refused', async () => {
    await using folder = await recordedFolder()
    for (const id of ['../../etc/passwd', 'a/b', 'a\\b', 'a b', 'a;b', '$(id)', 'a\nb', 'ö', '', 'x'.repeat(129)]) {
      const input = {
        session_id: id,
        cwd: folder.root,
        prompt: 'go',
        prompt_id: 'p',
        hook_event_name: 'UserPromptSubmit'
      }
      const event = toHookEvent('claude-code', { event: 'UserPromptSubmit', input })
      expect(await folder.engine.callUntyped('agent.event', event), id).toEqual({ ingested: false })
      expect(await sessions(folder), id).toEqual([])
    }
  })

  test.each(['--dangerously-skip-permissions', '.hidden', ...(LONG ? ['-p', '..', '.'] : [])])(
    '%s is recorded but never used in a command',
    async (id) => {
      await using folder = await recordedFolder()
      const agent = createTranscriptAgent(folder, id)
      const turn = await agent.say('one', 'did one', () => writeFileSync(join(folder.root, 'a'), '1'))
      expect((await sessions(folder))[0]).toMatchObject({ id, resumable: false })
      const { workspace } = folder
      for (const fork of [false, true]) {
        const asked = folder.engine.call('sessions.resume', { workspace, session: id, fork })
        const argv = await asked.then(
          (resume) => resume.argv,
          () => []
        )
        expect(argv).not.toContain(id)
      }
      const { conversation } = await folder.apply({ kind: 'restore', target: `${turn}:end`, mode: 'conversation' })
      expect(conversation?.resume?.argv ?? []).not.toContain(id)
    }
  )

  test('a quoted word survives a shell unchanged', { tags: ['posix'] }, () => {
    for (const word of ['plain-1.2_3', "it's", '$(id)', 'a b', '`x`', '', '*', 'a\nb', '--flag=1', '~', '#'])
      expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' })).toBe(word)
  })
})

/** A restore that would fork the session; the files in the agent's folder afterwards. */
async function restored(folder: RecordedFolder, turn: string) {
  const result = await folder.apply({ kind: 'restore', target: turn })
  return { result, files: readdirSync(join(folder.home, '.claude'), { recursive: true }).sort() }
}

async function talked(folder: RecordedFolder) {
  const agent = createTranscriptAgent(folder)
  await agent.say('one', 'did one')
  const turn = await agent.say('two', 'did two', () => writeFileSync(join(folder.root, 'a'), '1'))
  return { agent, turn }
}

describe('the forked session', () => {
  test('is one new file beside the old one, readable by this user only', async () => {
    await using folder = await recordedFolder()
    const { agent, turn } = await talked(folder)
    const before = readdirSync(dirname(agent.transcript))
    const { result } = await restored(folder, turn)
    const id = result.conversation!.resume!.argv.at(-1)!
    const fork = join(dirname(agent.transcript), `${id}.jsonl`)
    expect(readdirSync(dirname(agent.transcript)).sort()).toEqual([...before, `${id}.jsonl`].sort())
    const stats = lstatSync(fork)
    expect(stats.isFile()).toBe(true)
    // Windows has neither.
    if (process.getuid) expect([stats.mode & 0o777, stats.uid]).toEqual([0o600, process.getuid()])
  })

  type Spoil = (file: string, folder: RecordedFolder) => void
  const spoilings: readonly [name: string, needs: string[], Spoil][] = [
    [
      'a link',
      ['links'],
      (file, { home }) => {
        renameSync(file, join(home, 'elsewhere.jsonl'))
        symlinkSync(join(home, 'elsewhere.jsonl'), file)
      }
    ],
    [
      'in a folder that is a link',
      ['links'],
      (file, { home }) => {
        renameSync(dirname(file), join(home, 'elsewhere'))
        symlinkSync(join(home, 'elsewhere'), dirname(file))
      }
    ],
    [
      'a folder',
      [],
      (file) => {
        rmSync(file)
        mkdirSync(file)
      }
    ],
    [
      'a pipe',
      ['posix'],
      (file) => {
        rmSync(file)
        execFileSync('mkfifo', [file])
      }
    ]
  ]
  for (const [name, tags, spoil] of spoilings)
    test(`is not written when the original is ${name}: only files are restored`, { tags }, async () => {
      await using folder = await recordedFolder()
      const { agent, turn } = await talked(folder)
      spoil(agent.transcript, folder)
      const files = readdirSync(join(folder.home, '.claude'), { recursive: true }).sort()
      const after = await restored(folder, turn)
      expect(after.files).toEqual(files)
      expect(after.result).toMatchObject({ state: 'done', conversation: null })
      expect(after.result.warnings).toContainEqual({ code: 'conversation-stays', why: 'transcript-unreadable' })
      expect(existsSync(join(folder.root, 'a'))).toBe(false)
      const { workspace } = folder
      const forced = folder.engine.call('sessions.resume', { workspace, session: agent.session, at: turn, fork: true })
      await expect(forced).rejects.toMatchObject({ code: 'Refused' })
    })

  test('is not made when the old one is another person’s', { tags: ['root'] }, async () => {
    await using folder = await recordedFolder()
    const { agent, turn } = await talked(folder)
    chownSync(agent.transcript, 12345, 12345)
    const { result } = await restored(folder, turn)
    expect(result.conversation).toBeNull()
  })

  test('a folder inside the project is not accepted as the agent’s own', async () => {
    await using folder = await recordedFolder()
    const inside = join(folder.root, '.claude')
    mkdirSync(inside)
    const agent = createTranscriptAgent(folder, undefined, { home: inside })
    const file = join(inside, 'planted.jsonl')
    const record = { type: 'assistant', uuid: 'x', message: { content: [{ type: 'text', text: 'planted' }] } }
    writeFileSync(file, `${JSON.stringify(record)}\n`)
    await agent.send('UserPromptSubmit', { prompt: 'one', prompt_id: 'p', transcript_path: file })
    await agent.send('Stop', { transcript_path: file, background_tasks: [] })
    expect(await agent.messages()).toEqual(['one'])
  })
})

describe('backups of agents’ settings', () => {
  test('keep mode and owner, and so does the new file', { tags: ['posix'] }, () => {
    using temp = tempFolder()
    const file = join(temp.path, 'settings.json')
    writeFileSync(file, '{"a":1}\n', { mode: 0o600 })
    const owner = process.getuid?.() === 0 ? [12345, 23456] : [process.getuid?.(), process.getgid?.()]
    chownSync(file, owner[0] as number, owner[1] as number)
    const backup = writeSettings(file, '{"a":2}\n', 1_700_000_000_000)
    expect(readFileSync(backup!, 'utf8')).toBe('{"a":1}\n')
    expect(readFileSync(file, 'utf8')).toBe('{"a":2}\n')
    for (const written of [file, backup!]) {
      const { mode, uid, gid } = statSync(written)
      expect([mode & 0o777, uid, gid]).toEqual([0o600, ...owner])
    }
  })
})
