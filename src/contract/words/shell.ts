/** Command lines as a person types them. */

/** Quotes a path or argument for a POSIX shell; plain words stay unquoted. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteShell(word)
}

/** Quotes one word for a POSIX shell, always: its form does not depend on its characters. */
export function quoteShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** A path in a command that is shown: as the shells of the system (`process.platform`) read it. */
export function commandWord(path: string, platform: string): string {
  // Both shells of Windows read double quotes, which no path there contains.
  if (platform === 'win32') return /^[\w@+=:,.\\/-]+$/.test(path) ? path : `"${path}"`
  return shellWord(path)
}

/** Splits a command line into words as a shell does: by spaces, with quotes and backslashes. Null: a quote is left open. */
export function commandWords(line: string): readonly string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    const next = line.charAt(i + 1)
    if (quote !== '' && char === quote) quote = ''
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char
      word ??= ''
    } else if (char === '\\' && quote !== "'" && /["'\\ ]/.test(next)) {
      word = (word ?? '') + next
      i++
    } else if (quote === '' && /\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  if (quote !== '') return null
  return word === null ? words : [...words, word]
}
