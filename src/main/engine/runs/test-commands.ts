/**
 * [TS-1] What the exit code of a shell command says about tests, types and lint. Pure. In doubt it says nothing: a pipe,
 * `||`, a command after `;`, a background job or another command that may have failed decides the exit code as well.
 */
import type { TestResult } from '../../../contract/tests.ts'
import { quoteShell } from '../../../contract/words/shell.ts'
import { type Segment, splitCommand } from './split-command.ts'
import { kindOfCommand, type NamedCommand, TEST_KINDS } from './test-programs.ts'

/** Whether the text runs tests, types or lint at all, whatever its exit code says. */
export function runsTests(text: string, named: readonly NamedCommand[] = []): boolean {
  return (
    splitCommand(text)
      ?.flat()
      .some(({ words }) => kindOfCommand(words, named) !== null) ?? false
  )
}

/** Which command passed or failed, as its exit code says; null when that says nothing. */
export function testedBy(
  text: string,
  exitCode: number,
  named: readonly NamedCommand[] = []
): Pick<TestResult, 'command' | 'kind' | 'result'> | null {
  const lists = splitCommand(text)
  if (!lists || !isVerdict(exitCode) || lists.flat().some(endsScript)) return null
  const script = innerScript(lists)
  if (script !== null) return testedBy(script, exitCode, named)
  const [list = [], ...earlier] = lists.toReversed()
  const kinds = list.map(({ words }) => kindOfCommand(words, named))
  if (list.some(({ end }) => end === '|' || end === '||' || end === '&')) return null
  const kind = TEST_KINDS.find((known) => kinds.includes(known))
  if (!kind) return null
  // Any command of the list may be the one that failed, with `set -e` also an earlier one.
  if (exitCode !== 0 && !list.every((segment, i) => kinds[i] || isSetUp(segment))) return null
  if (exitCode !== 0 && earlier.flat().some(stopsAtFailure) && !earlier.flat().every(isSetUp)) return null
  const shown = list.filter(({ words }, i) => kinds[i] || /^(cd|pushd)$/.test(words[0] ?? ''))
  const command = shown.map(({ words }) => words.map(quotedIfNeeded).join(' ')).join(' && ')
  return { command: clip(command), kind, result: exitCode === 0 ? 'passed' : 'failed' }
}

/** 124 to 127: it ran out of time or could not be started; from 129 on a signal ended it. */
function isVerdict(exitCode: number): boolean {
  return exitCode >= 0 && exitCode < 256 && !(exitCode >= 124 && exitCode <= 127) && !(exitCode > 128 && exitCode < 192)
}

const SET_UP = new Set(['cd', 'pushd', 'export', 'source', '.', 'set', 'true', 'echo', 'printf', 'unset', 'clear'])

/** A command that only prepares the next one. */
function isSetUp({ words }: Segment): boolean {
  return words.length === 0 || SET_UP.has(words[0] ?? '')
}

/** The exit code may be its own, whatever follows. */
function endsScript({ words }: Segment): boolean {
  return /^(exit|return|trap|kill|eval)$/.test(words[0] ?? '')
}

function stopsAtFailure({ words }: Segment): boolean {
  return words[0] === 'set' && words.some((word) => /^-[a-z]*e/.test(word))
}

/** The script of `sh -c SCRIPT`, if that is the whole command. */
function innerScript(lists: readonly (readonly Segment[])[]): string | null {
  const [only, ...others] = lists.flat()
  if (!only || others.length > 0 || only.end !== '') return null
  const [shell = '', option = '', script, ...more] = only.words
  const isShell = /(^|\/)(ba|z|da|k)?sh$/.test(shell) && /^-[a-z]*c$/.test(option)
  return isShell && script !== undefined && more.length === 0 ? script : null
}

function quotedIfNeeded(word: string): string {
  return /^[\w@%+=:,./^~*-]+$/.test(word) ? word : quoteShell(word)
}

const MAX_COMMAND = 500

function clip(text: string): string {
  return text.length > MAX_COMMAND ? `${text.slice(0, MAX_COMMAND)}…` : text
}
