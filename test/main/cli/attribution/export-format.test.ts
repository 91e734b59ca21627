/** [SH-7] Attribution in the forms of other tools, each checked by what its specification demands. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { exportFormat, type FORMATS } from '../../../../src/main/cli/attribution/export-format.ts'
import type { Context } from '../../../../src/main/cli/context.ts'
import { makeBundle } from '../../../support/bundles.ts'
import { GIT_ENV } from '../../../support/git.ts'
import { createHookedAgent } from '../../../support/hooked-agent.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

let folder: RecordedFolder
let run = ''
let undone = ''
let first = ''
const git = (...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: folder.root, env: GIT_ENV, encoding: 'utf8' }).trim()

/** An agent writes lines 2 and 4 of `a b.ts`, a person line 5; then all is committed, and the agent adds line 6. */
beforeAll(async () => {
  folder = await recordedFolder({
    files: { 'a b.ts': 'one\nthree\n', 'other.ts': 'x\n' },
    make: (root) => {
      const inRoot = { cwd: root, env: GIT_ENV }
      execFileSync('git', ['init', '-q'], inRoot)
      execFileSync('git', ['add', '.'], inRoot)
      execFileSync('git', ['commit', '-qm', 'first'], inRoot)
    }
  })
  first = git('rev-parse', 'HEAD')
  const agent = createHookedAgent(folder, 'session-1')
  await agent.sendEvent('SessionStart', { source: 'startup', model: 'claude-opus-4-5' })
  const file = join(folder.root, 'a b.ts')
  const edit = (text: string) => agent.call('Edit', { file_path: file }, () => writeFileSync(file, text))
  run = await agent.ensureRun()
  await edit('one\ntwo\nthree\nfour\n')
  await agent.stop()
  writeFileSync(file, 'one\ntwo\nthree\nfour\nfive\n')
  await folder.check()
  git('commit', '-qam', 'second')
  undone = await agent.ensureRun()
  await edit('one\ntwo\nthree\nfour\nfive\nsix\n')
  await agent.stop()
})
afterAll(() => folder[Symbol.asyncDispose]())

async function printed(
  format: (typeof FORMATS)[number],
  of: string | null,
  options: { readonly commit?: string; readonly secrets?: boolean } = {}
): Promise<{ readonly out: string; readonly notes: string }> {
  let [out, notes] = ['', '']
  const { engine, workspace, root } = folder
  const context = {
    host: null,
    output: {
      write: (text: string) => {
        out += text
      },
      note: (text: string) => {
        notes += text
      }
    },
    workspace: async () => ({ id: workspace, root, name: 'project' }),
    call: (method: never, params: never) => engine.call(method, params),
    ask: (method: never, params: object) => engine.call(method, { ...params, workspace } as never)
  } as unknown as Context
  expect(await exportFormat(context, of, { format, commit: options.commit, secrets: options.secrets ?? false })).toBe(0)
  return { out, notes }
}

const range = z.strictObject({
  start_line: z.int().min(1),
  end_line: z.int().min(1),
  content_hash: z.string().optional()
})
const TRACE = z.strictObject({
  version: z.string().regex(/^[0-9]+\.[0-9]+$/),
  id: z.uuid(),
  timestamp: z.iso.datetime(),
  vcs: z.strictObject({ type: z.literal('git'), revision: z.string().regex(/^[0-9a-f]{40}$/) }).optional(),
  tool: z.strictObject({ name: z.string(), version: z.string() }),
  files: z.array(
    z.strictObject({
      path: z.string(),
      conversations: z.array(
        z.strictObject({
          url: z.url().optional(),
          contributor: z.strictObject({
            type: z.enum(['human', 'ai', 'mixed', 'unknown']),
            model_id: z.string().max(250).optional()
          }),
          ranges: z.array(range),
          related: z.array(z.strictObject({ type: z.string(), url: z.url() }))
        })
      )
    })
  )
})

test('[SH-7] a record of Agent Trace names the lines that the agent added in a commit, and no others', {
  tags: ['git']
}, async () => {
  const { out } = await printed('agent-trace', null, { commit: 'HEAD' })
  const trace = TRACE.parse(JSON.parse(out))
  expect(trace.vcs?.revision).toBe(git('rev-parse', 'HEAD'))
  const hash = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
  expect(trace.files).toMatchObject([
    {
      path: 'a b.ts',
      conversations: [
        {
          contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5' },
          ranges: [
            { start_line: 2, end_line: 2, content_hash: hash('two\n') },
            { start_line: 4, end_line: 4, content_hash: hash('four\n') }
          ]
        }
      ]
    }
  ])
  expect(JSON.parse((await printed('agent-trace', null, { commit: first })).out).files).toEqual([])
  const now = TRACE.parse(JSON.parse((await printed('agent-trace', run)).out))
  expect(now.vcs).toBeUndefined()
  expect(now.files[0]?.conversations[0]?.ranges).toHaveLength(2)
})

test('[SH-7] a note of Git AI has the grammar of its format, and its keys are those of its prompts', {
  tags: ['git']
}, async () => {
  const { out } = await printed('git-ai', null)
  const [attestations = '', metadata = ''] = out.split('\n---\n')
  const note = z
    .strictObject({
      schema_version: z.literal('authorship/3.0.0'),
      git_ai_version: z.string(),
      base_commit_sha: z.literal(git('rev-parse', 'HEAD')),
      prompts: z.record(
        z.string().regex(/^[0-9a-f]{16}$/),
        z.strictObject({
          agent_id: z.strictObject({ tool: z.string(), id: z.string(), model: z.string() }),
          human_author: z.literal('a <a@b>'),
          messages: z.array(
            z.strictObject({
              type: z.enum(['user', 'assistant', 'tool_use']),
              text: z.string().optional(),
              timestamp: z.iso.datetime(),
              name: z.string().optional(),
              input: z.looseObject({}).optional()
            })
          ),
          total_additions: z.int().min(0),
          total_deletions: z.int().min(0),
          accepted_lines: z.int().min(0),
          overriden_lines: z.int().min(0)
        })
      )
    })
    .parse(JSON.parse(metadata))
  const key = createHash('sha256').update('claude:session-1').digest('hex').slice(0, 16)
  expect(attestations).toBe(`"a b.ts"\n  ${key} 2,4`)
  expect(note.prompts[key]).toMatchObject({
    agent_id: { tool: 'claude', id: 'session-1', model: 'claude-opus-4-5' },
    accepted_lines: 2,
    total_additions: 2
  })
  expect(note.prompts[key]?.messages).toMatchObject([{ type: 'user' }, { type: 'tool_use', name: 'Edit' }])
  git('notes', '--ref=ai', 'add', '-m', out)
  expect(git('notes', '--ref=ai', 'show')).toBe(out.trim())
  expect(git('for-each-ref', '--format=%(refname)', 'refs/notes')).toBe('refs/notes/ai')
})

test('[SH-7] a content that was never recorded is named and attributed to nobody', { tags: ['git'] }, async () => {
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: folder.root,
    env: GIT_ENV,
    input: 'never here\n',
    encoding: 'utf8'
  }).trim()
  const tree = execFileSync('git', ['mktree'], {
    cwd: folder.root,
    env: GIT_ENV,
    input: `100644 blob ${blob}\tother.ts\n`,
    encoding: 'utf8'
  }).trim()
  const commit = git('commit-tree', '-m', 'partial', tree)
  const { out, notes } = await printed('agent-trace', null, { commit })
  expect(JSON.parse(out).files).toEqual([])
  expect(notes).toContain('other.ts')
  await expect(printed('git-ai', null, { commit: 'no-such-revision' })).rejects.toMatchObject({ code: 'Refused' })
  await expect(printed('agent-trace', null)).rejects.toMatchObject({ code: 'Usage' })
})

test('[SH-7] trailers are those that git parses, and there is none once the run is undone', {
  tags: ['git']
}, async () => {
  const parsed = (text: string): string =>
    execFileSync('git', ['interpret-trailers', '--parse'], {
      input: `Change\n\nWhy.\n\n${text}`,
      encoding: 'utf8'
    }).trim()
  const { out } = await printed('trailers', run)
  expect(out).toBe('Assisted-by: claude-code:claude-opus-4-5\n')
  expect(parsed(out)).toBe(out.trim())
  expect((await printed('trailers', null, { commit: 'HEAD' })).out).toBe(out)
  await folder.apply({ kind: 'undo-run', run: undone })
  const none = await printed('trailers', undone)
  expect(none).toMatchObject({ out: '', notes: expect.stringContaining('No edit of an agent') })
})

const step = z.strictObject({
  step_id: z.int().min(1),
  timestamp: z.iso.datetime(),
  source: z.enum(['system', 'user', 'agent']),
  message: z.string(),
  model_name: z.string().optional(),
  tool_calls: z
    .array(z.strictObject({ tool_call_id: z.string(), function_name: z.string(), arguments: z.looseObject({}) }))
    .optional(),
  observation: z
    .strictObject({ results: z.array(z.strictObject({ source_call_id: z.string(), content: z.string() })) })
    .optional(),
  extra: z.looseObject({})
})
const ATIF = z.strictObject({
  schema_version: z.literal('ATIF-v1.6'),
  session_id: z.string(),
  agent: z.strictObject({ name: z.string(), version: z.string(), model_name: z.string().optional() }),
  steps: z.array(step).min(1),
  final_metrics: z.strictObject({ total_steps: z.int() }),
  extra: z.looseObject({})
})

test('[SH-7] a conversation in ATIF has its steps in order, and only those of the agent have a model and tools', {
  tags: ['git']
}, async () => {
  const document = ATIF.parse(JSON.parse((await printed('atif', run)).out))
  expect(document.agent).toMatchObject({ name: 'claude-code', model_name: 'claude-opus-4-5' })
  expect(document.steps.map((each) => each.step_id)).toEqual(document.steps.map((_, n) => n + 1))
  expect(document.final_metrics.total_steps).toBe(document.steps.length)
  for (const each of document.steps) {
    const calls = each.tool_calls?.map((call) => call.tool_call_id) ?? []
    if (each.source !== 'agent')
      expect([each.model_name, each.tool_calls, each.observation]).toEqual([undefined, undefined, undefined])
    for (const result of each.observation?.results ?? []) expect(calls).toContain(result.source_call_id)
  }
  expect(document.steps).toMatchObject([
    { source: 'user', message: 'session-1 1' },
    { source: 'agent', tool_calls: [{ function_name: 'Edit', arguments: { paths: ['a b.ts'] } }] }
  ])
})

test('[SH-2] a review shows the prompts and tool calls of its run, with what each call changed', {
  tags: ['git']
}, async () => {
  using temp = tempFolder()
  const { engine, workspace } = folder
  const file = join(temp.path, 'run.driftline')
  await makeBundle(engine, file, { workspace, run })
  const { workspace: review } = await engine.call('bundle.open', { file })
  const [session] = (await engine.call('sessions.list', { workspace: review.id })).sessions
  const detail = await engine.call('sessions.show', { workspace: review.id, session: session?.id ?? '' })
  expect(detail.calls).toMatchObject([{ name: 'Edit', state: 'done', changed: [{ path: 'a b.ts' }], added: 2 }])
  const page = await engine.call('sessions.messages', { workspace: review.id, session: session?.id ?? '' })
  expect(page.messages).toMatchObject([{ role: 'user', text: 'session-1 1' }])
  const { lines } = await engine.call('file.blame', { workspace: review.id, path: 'a b.ts' })
  expect(lines.map((line) => line.origin)).toEqual(['baseline', 'agent', 'baseline', 'agent'])
  await engine.call('bundle.close', { bundle: review.id })
})
