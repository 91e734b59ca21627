/** The last lines that the command of a host printed: its questions and errors, as they are but for control characters. */

/** Characters. */
const LIMIT = 4000

export function createPrintedLines() {
  let text = ''
  return {
    /** Returns what adds to the lines of a new start, which replace those of the last one, and returns all of them. */
    begin(): (more: string) => string {
      let own = ''
      return (more) => {
        own = (own + printable(more)).slice(-LIMIT)
        text = own
        return own
      }
    },
    text: (): string => text.trim()
  }
}

/** Colours and cursor moves. */
const SEQUENCES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g')
/** All but tabs and ends of lines. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu

function printable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '')
}
