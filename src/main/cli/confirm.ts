/** Asks a yes-or-no question on the terminal: the question goes to stderr, the answer comes from stdin. */
import { createInterface } from 'node:readline'

/** True when a person can be asked: nobody reads JSON for them, and both the question and the answer go over a terminal. */
export function canAsk({ json }: { readonly json: boolean }): boolean {
  return !json && process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Only "y" and "yes" mean yes; an end of input or Ctrl-C means no. */
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
