/** Yes-or-no questions on the terminal. The question goes to stderr, so stdout carries only results. */
import { createInterface } from 'node:readline'
import { DriftlineError } from '../../contract/errors.ts'
import type { Output } from './output.ts'

/** True when a person can answer: no `--json`, and both stdin and stderr are a terminal. */
export function canAsk({ json }: Pick<Output, 'json'>): boolean {
  return !json && process.stdin.isTTY === true && process.stderr.isTTY === true
}

/**
 * Asks before a deletion, which `warning` names: with this sentence, or after it with a shorter `question`. Resolves to
 * the answer. Throws NeedsConfirmation, with `data`, when no person can answer.
 */
export async function confirmDeletion(
  output: Output,
  warning: string,
  { question, data = {} }: { readonly question?: string; readonly data?: Readonly<Record<string, unknown>> } = {}
): Promise<boolean> {
  if (!canAsk(output))
    throw new DriftlineError('NeedsConfirmation', `${warning} Nothing was deleted. Add --yes to confirm.`, data)
  if (question === undefined) return confirm(warning)
  output.note(warning)
  await output.flush()
  return confirm(question)
}

/** Resolves to true only for "y" or "yes". End of input and Ctrl-C count as no. */
export function confirm(question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    let answer = ''
    lines.question(`${question} [y/N] `, (line) => {
      answer = line
      lines.close()
    })
    lines.on('SIGINT', () => {
      process.stderr.write('\n')
      lines.close()
    })
    lines.on('close', () => resolve(/^y(es)?$/i.test(answer.trim())))
  })
}
