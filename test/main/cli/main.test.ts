import { expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../../src/contract/errors.ts'
import { COMMANDS } from '../../../src/main/cli/commands.ts'
import { fail, main } from '../../../src/main/cli/main.ts'
import { createOutput, type Sink } from '../../../src/main/cli/output.ts'
import { exitCodeOfResult } from '../../../src/main/cli/plan-and-apply.ts'
import { memorySink } from './memory-sink.ts'

const invocationOf = (argv: readonly string[]) => ({
  argv,
  env: { DRIFTLINE_DATA: '/nowhere/driftline-test' },
  version: '1.2.3',
  programs: { engine: '', ingest: '', fileHelper: '', recorder: '', serve: '' },
  cwd: () => '/'
})

async function call(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = memorySink()
  const err = memorySink()
  const code = await main(invocationOf(argv), out, err)
  return { code, out: out.text(), err: err.text() }
}

test('every command is listed in --help and has its own help', async () => {
  const { code, out, err } = await call('--help')
  expect([code, err]).toEqual([0, ''])
  for (const { name } of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'))
  for (const { name, onlyHere = false } of COMMANDS) {
    const own = await call(name, '--help')
    expect([own.code, own.err]).toEqual([0, ''])
    expect(own.out).toContain(`driftline ${name}`)
    expect([name, own.out.includes('  --host NAME ')]).toEqual([name, !onlyHere])
    expect((await call('help', name)).out).toBe(own.out)
  }
})

test('the usage of a command names every option that it has', () => {
  for (const { name, usage, options } of COMMANDS)
    for (const [option, { short = option }] of Object.entries(options))
      expect(`${usage} `, `driftline ${name}`).toMatch(new RegExp(`(?:--${option}|-${short})[\\]| ]`))
})

test('an option has the same short form in every command', () => {
  const shorts = new Map<string, string | undefined>()
  for (const { name, options } of COMMANDS)
    for (const [option, { short }] of Object.entries(options)) {
      if (!shorts.has(option)) shorts.set(option, short)
      expect([name, option, short]).toEqual([name, option, shorts.get(option)])
    }
})

test('--version prints the version', async () => {
  expect(await call('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' })
  expect(JSON.parse((await call('--version', '--json')).out)).toEqual({ version: '1.2.3' })
})

test('output that cannot be written is a sentence on stderr and exit code 1, however its stream reports it', async () => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  let report = (_: NodeJS.ErrnoException): void => {}
  const sinks: Sink[] = [
    {
      write: () => {
        throw full
      },
      on: () => {}
    },
    {
      write: (_, done) => {
        report(full)
        done(full)
        return false
      },
      on: (_, listener) => {
        report = listener
      }
    }
  ]
  for (const out of sinks)
    for (const argv of [['--help'], ['--version', '--json']]) {
      const err = memorySink()
      expect(await main(invocationOf(argv), out, err)).toBe(1)
      expect(err.text()).toMatch(/^driftline: The disk is full, so the output is incomplete\..*\n$/)
      expect(await main(invocationOf(argv), memorySink(), out)).toBe(0)
    }
})

test('an unknown command or argument exits 2 with a message, and a document with --json', async () => {
  const unknown = await call('frobnicate')
  expect([unknown.code, unknown.out]).toEqual([2, ''])
  expect(unknown.err).toContain('Unknown command "frobnicate".')
  for (const argv of [
    ['frobnicate'],
    ['log', '--limit', 'x'],
    ['restore'],
    ['diff', '--nope'],
    ['serve', '--port', '99999'],
    ['run'],
    ['--nope']
  ]) {
    const { code, out } = await call(...argv, '--json')
    expect([argv, code, JSON.parse(out).error.code]).toEqual([argv, 2, 'Usage'])
  }
})

test('[GW-1] hook prints nothing and exits 0 on any arguments', async () => {
  for (const argv of [['hook'], ['hook', '--nope'], ['hook', 'claude-code', 'PreToolUse', '--json']]) {
    expect(await call(...argv)).toEqual({ code: 0, out: '', err: '' })
  }
})

test('wrong option values are refused before anything is opened', async () => {
  expect((await call('undo-run', 'latest', '--hunk', 'a')).code).toBe(2)
  expect((await call('restore', 'latest', '--mode', 'all')).code).toBe(2)
  expect((await call('recover', 'maybe')).code).toBe(2)
})

test('error codes have the exit codes of the contract', () => {
  const expected: Partial<Record<ErrorCode, number>> = {
    Usage: 2,
    NotAFolder: 2,
    Refused: 3,
    RunIsLive: 3,
    PlanStale: 3,
    NeedsConfirmation: 3,
    NotAWorkspace: 5,
    UnknownTarget: 5,
    AmbiguousTarget: 5,
    FolderMissing: 5
  }
  for (const code of ERROR_CODES) {
    const out = memorySink()
    const exit = fail(createOutput(out, memorySink(), {}, true), { code, message: 'm', data: { a: 1 } })
    expect([code, exit]).toEqual([code, expected[code] ?? 1])
    expect(JSON.parse(out.text())).toEqual({ error: { code, message: 'm', data: { a: 1 } } })
  }
})

test('results have the exit codes of the contract', () => {
  const item = (result: 'done' | 'kept' | 'skipped' | 'failed') => ({ result }) as never
  expect(exitCodeOfResult({ state: 'done', items: [item('done'), item('kept')], git: [] })).toBe(0)
  expect(exitCodeOfResult({ state: 'nothing-to-do', items: [], git: [] })).toBe(0)
  expect(exitCodeOfResult({ state: 'refused', items: [item('failed')], git: [] })).toBe(3)
  expect(exitCodeOfResult({ state: 'partial', items: [item('done'), item('failed')], git: [] })).toBe(4)
  expect(exitCodeOfResult({ state: 'failed', items: [], git: [] })).toBe(4)
})
