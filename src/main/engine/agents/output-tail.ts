/**
 * Selects the part of a command's output that is stored: its tail as plain text, and nothing when it may contain
 * secrets.
 */
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { CallOutput } from '../../../contract/conversation.ts'
import { looksSecret } from '../files/secret-path.ts'
import type { AgentWorkspace } from './agent-workspace.ts'
import { pathInside } from './path-inside.ts'

const MAX_LINES = 20
const MAX_CHARACTERS = 4000
/** Only this much of the end is processed: the stripped control sequences may be a multiple of the visible text. */
const MAX_READ = 16 * MAX_CHARACTERS

/**
 * The tail of an output without terminal control sequences. A line redrawn with carriage returns keeps its last
 * state.
 */
export function outputTail(printed: string): CallOutput {
  const lines = stripVTControlCharacters(printed.slice(-MAX_READ))
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map(resolveCarriageReturns)
  while (lines.at(-1)?.trim() === '') lines.pop()
  const kept = lines.slice(-MAX_LINES).join('\n')
  // Do not begin with the low half of a surrogate pair.
  const text = kept.slice(-MAX_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '')
  return { text, cut: printed.length > MAX_READ || lines.length > MAX_LINES || text.length < kept.length }
}

function resolveCarriageReturns(line: string): string {
  const last = line.split('\r').findLast((part) => part !== '') ?? ''
  return last.replace(/[\0-\x08\x0B-\x1F\x7F-\x9F]/g, '').trimEnd()
}

/**
 * The tail to store. Null when nothing was printed, or when the command or its output names a file that is never
 * stored or whose name looks like a secret's.
 */
export function storableOutput(
  context: Pick<AgentWorkspace, 'root' | 'rules'>,
  cwd: string,
  { command, text }: { readonly command: string; readonly text: string }
): CallOutput | null {
  const output = outputTail(text)
  if (output.text === '') return null
  // Any word of a command may be a file name; in its output, one with a dot or a slash.
  const named = [...splitWords(command), ...splitWords(output.text).filter((word) => /[./]/.test(word))]
  return named.some((word) => isExcludedOrSecret(context, cwd, word)) ? null : output
}

function splitWords(text: string): string[] {
  const words = text.split(/[\s'"`;|&()<>=:,{}[\]$*?@]+/).map((word) => word.replace(/[.!]+$/, ''))
  return [...new Set(words)].filter((word) => word !== '')
}

function isExcludedOrSecret(
  { root, rules }: Pick<AgentWorkspace, 'root' | 'rules'>,
  cwd: string,
  word: string
): boolean {
  if (looksSecret(word)) return true
  const name = pathInside(root, resolve(cwd, word))
  // An exclusion pattern may match a file or a folder.
  return name !== null && (rules.neverStores(name) || rules.neverStores(`${name}/`))
}
