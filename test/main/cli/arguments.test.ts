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

const parse = (line: string, one = sample): Parsed =>
  parseArguments(one, splitArguments(line.split(' ').filter((w) => w !== '')))

test('global options may stand before or after the command', () => {
  for (const line of ['--json --folder /x --data /d sample t', 'sample t --json --data=/d --folder /x']) {
    const parsed = parse(line)
    expect(parsed.global).toEqual({ json: true, help: false, data: '/d', folder: '/x' })
    expect(parsed.positionals).toEqual(['t'])
  }
  expect(splitArguments(['--data', 'status', 'log']).name).toBe('log')
  expect(splitArguments(['--version']).name).toBeNull()
})

test('a command keeps its own options and repeated ones', () => {
  const parsed = parse('sample t --limit 3 --kind run --kind drift -y')
  expect(parsed.values).toMatchObject({ limit: '3', kind: ['run', 'drift'], yes: true })
})

test('after -- come paths that may look like options', () => {
  expect(parse('sample t -- --odd').positionals).toEqual(['t', '--odd'])
})

test('a command line after -- is left exactly as it was, further dashes and --json included', () => {
  const parsed = parse('run --json -- npm test -- --json --help', runner)
  expect(parsed.rest).toEqual(['npm', 'test', '--', '--json', '--help'])
  expect(parsed.positionals).toEqual([])
  expect(splitArguments(['run', '--', 'x', '--json']).json).toBe(false)
})

test.each(['sample', 'sample a b c', 'sample t --nope', 'sample t --limit', 'sample t --yes=1', 'run npm -- x'])(
  'wrong use is a Usage error with the right form: %s',
  (line) => {
    const one = line.startsWith('run') ? runner : sample
    expect(() => parse(line, one)).toThrow(
      expect.objectContaining({ code: 'Usage', message: expect.stringContaining(`driftline ${one.name}`) })
    )
  }
)

test('--help is answered even when words are missing', () => {
  expect(parse('sample --help').global.help).toBe(true)
})
