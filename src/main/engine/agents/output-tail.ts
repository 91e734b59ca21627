/** The part of a command's output that is kept: its end, as words, unless it may hold what is not to be kept. */
import { relative, resolve, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { CallOutput } from '../../../contract/conversation.ts'
import { looksSecret } from '../diff/secret-path.ts'
import { checkRelative } from '../files/workspace-fs.ts'
import type { Recorder } from '../workspaces/recorder.ts'

const MOST_LINES = 20
const MOST_CHARACTERS = 4000
/** Only the end is read; what a terminal is told may be a multiple of what it shows. */
const MOST_READ = 16 * MOST_CHARACTERS

/** The end of what was printed, without terminal codes; a line that was drawn over and over is as it was last. */
export function outputTail(printed: string): CallOutput {
  const lines = stripVTControlCharacters(printed.slice(-MOST_READ))
    .replace(/\r+\n/g, '\n')
    .split('\n')
    .map(resolveCarriageReturns)
  while (lines.at(-1)?.trim() === '') lines.pop()
  const kept = lines.slice(-MOST_LINES).join('\n')
  // Never begins with the second half of a character.
  const text = kept.slice(-MOST_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '')
  return { text, cut: printed.length > MOST_READ || lines.length > MOST_LINES || text.length < kept.length }
}

function resolveCarriageReturns(line: string): string {
  const drawn = line.split('\r').findLast((one) => one !== '') ?? ''
  return drawn.replace(/[\0-\x08\x0B-\x1F\x7F-\x9F]/g, '').trimEnd()
}

/** null when nothing was printed, or when the command or its output names a file whose contents are never kept, or look like secrets. */
export function storableOutput(
  recorder: Recorder,
  cwd: string,
  { command, text }: { readonly command: string; readonly text: string }
): CallOutput | null {
  const output = outputTail(text)
  if (output.text === '') return null
  // Any word of a command may be a file; in what it printed one has a dot or a slash.
  const named = [...splitWords(command), ...splitWords(output.text).filter((word) => /[./]/.test(word))]
  return named.some((word) => isExcludedOrSecret(recorder, cwd, word)) ? null : output
}

function splitWords(text: string): string[] {
  const words = text.split(/[\s'"`;|&()<>=:,{}[\]$*?@]+/).map((word) => word.replace(/[.!]+$/, ''))
  return [...new Set(words)].filter((word) => word !== '')
}

function isExcludedOrSecret({ root, rules }: Recorder, cwd: string, word: string): boolean {
  if (looksSecret(word)) return true
  const inside = relative(root, resolve(cwd, word))
  const name = checkRelative(sep === '/' ? inside : inside.replaceAll(sep, '/'))
  // As a file and as a folder: a pattern may mean either.
  return name !== null && (rules.neverStores(name) || rules.neverStores(`${name}/`))
}
