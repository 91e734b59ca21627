/** Runs a program in a pseudo terminal and controls it by keys. Requires `script` of util-linux. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { shellWord } from '../../src/contract/words/shell.ts'

export interface Terminal {
  readonly child: ChildProcess
  press(keys: string): void
  /** All text drawn so far without control sequences, including text overwritten since. */
  shown(): string
}

export const KEYS = { enter: '\r', escape: '\u001b', clearLine: '\u0015' } as const

/** True if `script` accepts a command and works through a pipe. */
export const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0

/** Terminal queries of programs, and the answers of a plain terminal. */
const QUESTIONS = [
  { asked: '\u001b[6n', answer: '\u001b[1;1R' },
  { asked: '\u001b[c', answer: '\u001b[?1;2c' }
]
const NOT_WORDS = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[[(][0-9;?<>=]*[ -/]*[@-~]/g

export function startInTerminal(
  words: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }
): Terminal {
  const command = `stty rows 50 cols 200; exec ${words.map(shellWord).join(' ')}`
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true
  })
  let drawn = ''
  child.stdin.on('error', () => {})
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    drawn += data
    for (const { asked, answer } of QUESTIONS) if (data.includes(asked)) child.stdin.write(answer)
  })
  return {
    child,
    press: (keys) => child.stdin.write(keys),
    shown: () => drawn.replaceAll(NOT_WORDS, ' ').replaceAll(/\s+/g, ' ')
  }
}
