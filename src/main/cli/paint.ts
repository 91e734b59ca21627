/**
 * Terminal colours as ANSI SGR sequences (ECMA-48). Each style is a pair: the code that starts it and the code that
 * ends it.
 */

export type Paint = (style: Style, text: string) => string
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39]
}

export const plain: Paint = (_style, text) => text

const coloured: Paint = (style, text) => {
  if (text === '') return text
  const [on, off] = CODES[style]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** Colours only on a terminal, and never with NO_COLOR (https://no-color.org) or TERM=dumb. */
export function painterFor(isTerminal: boolean, env: NodeJS.ProcessEnv): Paint {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? coloured : plain
}
