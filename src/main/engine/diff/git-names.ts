/** File names as git writes them in a patch (`quote.c`), and names that `git apply` refuses. */

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\'
}

/** Quotes a name in C style if it contains control, quote, backslash or non-ASCII bytes (`core.quotePath`). */
export function quoteName(name: string): string {
  const escaped = escapeName(name)
  return escaped === name ? name : `"${escaped}"`
}

function escapeName(name: string): string {
  let escaped = ''
  for (const byte of Buffer.from(name, 'utf8')) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 34 && byte !== 92
    if (plain) escaped += String.fromCharCode(byte)
    else escaped += ESCAPES[byte] ?? `\\${byte.toString(8).padStart(3, '0')}`
  }
  return escaped
}

/**
 * A name for the `diff --git` line. Git has to find where the second name begins and fails for a folder whose name ends with a
 * space. Quoted names have a definite end.
 */
export function quoteNameInHeader(name: string): string {
  return name.includes(' /') ? `"${escapeName(name)}"` : quoteName(name)
}

/** A name for a `---` or `+++` line. A name with spaces ends with a tab, or readers would take a part of it for a date. */
export function quoteNameInFileLine(name: string): string {
  return name.includes(' ') ? `${quoteName(name)}\t` : quoteName(name)
}

// Including names that NTFS treats as these: short names, trailing dots and spaces, streams, backslash as separator.
const DOT_GIT = /^(\.git|git~1)[ .]*(:.*)?$/i
const DOT_GITMODULES = /^(\.gitmodules|gitmod~[1-4]|gi7eba~[1-9])[ .]*(:.*)?$/i

/** Whether `git apply` refuses the whole patch because of this name: anything in `.git`, or a link named .gitmodules. */
export function isRefusedByGit(path: string, isLink: boolean): boolean {
  return path.split(/[/\\]/).some((part) => DOT_GIT.test(part) || (isLink && DOT_GITMODULES.test(part)))
}
