import { expect, test } from 'vitest'
import { type Parsed, parseArguments, splitArguments } from '../../../src/main/cli/arguments.ts'
import { type Command, command } from '../../../src/main/cli/command.ts'

const sample: Command = command({
  name: 'sample',
  usage: ['TARGET [--limit N]'],
  summary: '',
  options: {
    limit: { type: 'string', help: '' },
    kind: { type: 'string', multiple: true, help: '' },
    yes: { type: 'boolean', short: 'y', help: '' }
  },
  positionals: [1, 2],
  run: async () => 0
})
const runner: Command = { ...sample, name: 'run', positionals: [0, 0], takesCommand: true }

const parse = (line: string, target = sample): Parsed =>
  parseArguments(target, splitArguments(line.split(' ').filter((argument) => argument !== '')))

test('global options work before and after the command', () => {
  for (const line of ['--json --folder /x --data /d sample t', 'sample t --json --data=/d --folder /x']) {
    const parsed = parse(line)
    expect(parsed.global).toEqual({ json: true, help: false, data: '/d', folder: '/x' })
    expect(parsed.positionals).toEqual(['t'])
  }
  expect(splitArguments(['--data', 'status', 'log']).name).toBe('log')
  expect(splitArguments(['--version']).name).toBeNull()
})

test('a command gets its own options, including repeated ones', () => {
  const parsed = parse('sample t --limit 3 --kind run --kind drift -y')
  expect(parsed.values).toMatchObject({ limit: '3', kind: ['run', 'drift'], yes: true })
})

test('arguments after -- are paths, even if they look like options', () => {
  expect(parse('sample t -- --odd').positionals).toEqual(['t', '--odd'])
})

test('a command line after -- stays unchanged, including further dashes and --json', () => {
  const parsed = parse('run --json -- npm test -- --json --help', runner)
  expect(parsed.rest).toEqual(['npm', 'test', '--', '--json', '--help'])
  expect(parsed.positionals).toEqual([])
  expect(splitArguments(['run', '--', 'x', '--json']).json).toBe(false)
})

test('[UI-2] an empty argument is a Usage error, and so is an empty folder', () => {
  expect(() => parseArguments(sample, splitArguments(['sample', '']))).toThrow('an argument is empty')
  for (const option of ['--folder', '--data', '--limit'])
    expect(() => parseArguments(sample, splitArguments(['sample', 't', option, '']))).toThrow(
      `the value of ${option} is empty`
    )
})

test.each(['sample', 'sample a b c', 'sample t --nope', 'sample t --limit', 'sample t --yes=1', 'run npm -- x'])(
  'a wrong command line is a Usage error with the usage of its command: %s',
  (line) => {
    const target = line.startsWith('run') ? runner : sample
    expect(() => parse(line, target)).toThrow(
      expect.objectContaining({ code: 'Usage', message: expect.stringContaining(`driftline ${target.name}`) })
    )
  }
)

test('--help works even when arguments are missing', () => {
  expect(parse('sample --help').global.help).toBe(true)
})
