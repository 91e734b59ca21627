/** [GW-1] A hook ends, whatever holds it: in the shells that agents use, as far as they are here. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { quoteShell } from '../../../../src/contract/words/shell.ts'
import { limitedCommand } from '../../../../src/main/engine/agents/connect/limited-command.ts'
import { tempFolder } from '../../../support/tmp.ts'

const QUIET_SUCCESS = { output: '', errors: '', code: 0, signal: null }
/** Seconds that no test lasts. */
const NEVER = 600

describe.for(['sh', 'bash', 'zsh', 'busybox sh'].map((words) => words.split(' ')))(
  'in %s',
  { tags: ['posix'] },
  ([shell = '', ...args]) => {
    const shells = { concurrent: false, skip: spawnSync(shell, [...args, '-c', 'exit 7']).status !== 7 }

    /** Runs the command as an agent does, to the end of its output. */
    async function run(command: string, stdin: string) {
      const child = spawn(shell, [...args, '-c', command], { stdio: ['pipe', 'pipe', 'pipe'] })
      const ended = once(child, 'exit')
      child.stdin.on('error', () => {}).end(stdin)
      const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
      const [code, signal] = await ended
      return { output, errors, code, signal }
    }

    test('[GW-1] a hook that never ends is left at its limit, with its output', shells, async () => {
      using folder = tempFolder()
      const endedQuietly = async (prints: boolean): Promise<void> => {
        const file = join(folder.path, `pid-${prints}`)
        const hook = `sh -c ${quoteShell(`echo $$ > '${file}'; echo words; exec sleep ${NEVER}`)}`
        expect(await run(limitedCommand(hook, prints, 1), 'event')).toEqual(QUIET_SUCCESS)
        process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
      }
      await Promise.all([false, true].map(endedQuietly))
    })

    test('[RV-5] what a hook prints in time is passed on, whole, where it may print', shells, async () => {
      using folder = tempFolder()
      const text = 'x'.repeat(200_000)
      const file = join(folder.path, 'text')
      writeFileSync(file, text)
      const hook = `cat ${quoteShell(file)}`
      expect(await run(limitedCommand(hook, true, NEVER), 'event')).toEqual({ ...QUIET_SUCCESS, output: text })
      expect(await run(limitedCommand(hook, false, NEVER), 'event')).toEqual(QUIET_SUCCESS)
    })

    test('[GW-1] without the programs it needs for a limit, a hook runs to its end', shells, async () => {
      using folder = tempFolder()
      const file = join(folder.path, 'event')
      for (const prints of [false, true]) {
        const command = limitedCommand(`read -r event && echo "$event" > ${quoteShell(file)}`, prints, 1)
        expect(await run(`PATH=${quoteShell(folder.path)}; ${command}`, 'event\n')).toEqual(QUIET_SUCCESS)
        expect(readFileSync(file, 'utf8')).toBe('event\n')
      }
    })

    test('[GW-1] a hook gets the event and the process of the agent; its failure is silent', shells, async () => {
      using folder = tempFolder()
      const event = join(folder.path, 'event')
      const hook = `{ cat; echo $DRIFTLINE_HOOK_PARENT; } > ${quoteShell(event)}; echo words >&2; exit 3`
      for (const prints of [false, true]) {
        expect(await run(limitedCommand(`(${hook})`, prints, NEVER), '{"a":1}')).toEqual(QUIET_SUCCESS)
        expect(readFileSync(event, 'utf8')).toBe(`{"a":1}${process.pid}\n`)
      }
    })
  }
)

test('[RV-5] the command of a hook has no variable with a default: Gemini CLI would fill it in', () => {
  expect(limitedCommand('hook', true)).not.toMatch(/\$\{/)
})
