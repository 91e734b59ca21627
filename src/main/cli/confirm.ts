/** Yes-or-no questions on the terminal. The question goes to stderr, so stdout carries only results. */
import { createInterface } from 'node:readline'

/** True when a person can answer: no `--json`, and both stdin and stderr are a terminal. */
export function canAsk({ json }: { readonly json: boolean }): boolean {
  return !json && process.stdin.isTTY === true && process.stderr.isTTY === true
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
