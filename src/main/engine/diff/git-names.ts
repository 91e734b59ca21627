/** File names as git writes them in a patch, and names `git apply` refuses. */

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

/** A name in C-style quotes when it holds control, quote, backslash or non-ASCII bytes, else as it is. */
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
 * A name for the `diff --git` line. There git looks for the place where the second name begins, and gives up at a
 * folder whose name ends with a space; quoted, it is certain where each ends.
 */
export function quoteNameInHeader(name: string): string {
  return name.includes(' /') ? `"${escapeName(name)}"` : quoteName(name)
}

/** A name for a `---` or `+++` line: a tab ends a name with spaces, or readers would take the rest for a date. */
export function quoteNameInFileLine(name: string): string {
  return name.includes(' ') ? `${quoteName(name)}\t` : quoteName(name)
}

// Also what NTFS reads as these names: short names, trailing dots and spaces, streams, backslash as separator.
const DOT_GIT = /^(\.git|git~1)[ .]*(:.*)?$/i
const DOT_GITMODULES = /^(\.gitmodules|gitmod~[1-4]|gi7eba~[1-9])[ .]*(:.*)?$/i

/** Whether `git apply` refuses the whole patch because of this name: anything in `.git`, a link named .gitmodules. */
export function isRefusedByGit(path: string, isLink: boolean): boolean {
  return path.split(/[/\\]/).some((part) => DOT_GIT.test(part) || (isLink && DOT_GITMODULES.test(part)))
}
