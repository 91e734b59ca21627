/** The last lines that the command of a host printed: its questions and errors, as they are but for control characters. */

/** Characters. */
const LIMIT = 4000

export function createPrintedLines() {
  let text = ''
  return {
    /** Returns all that is stored. */
    add(more: string): string {
      text = (text + printable(more)).slice(-LIMIT)
      return text
    },
    text: (): string => text.trim(),
    clear(): void {
      text = ''
    }
  }
}

/** Colours and cursor moves. */
const SEQUENCES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')
/** All but tabs and ends of lines. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu

function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '')
}
