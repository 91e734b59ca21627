/** Makes text from projects and agents safe to print: control, bidirectional and invisible characters become visible. */

// Control characters (C0, DEL, C1), soft hyphen, Arabic letter mark, zero-width space, direction marks and overrides,
// line and paragraph separators, isolates, byte order mark, interlinear marks and tag characters.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function visible(text: string): string {
  const short = SHORT[text]
  if (short !== undefined) return short
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    out += unit < 0x100 ? `\\x${hex(unit, 2)}` : `\\u${hex(unit, 4)}`
  }
  return out
}

function hex(unit: number, width: number): string {
  return unit.toString(16).padStart(width, '0')
}

/** One line: every unsafe character, line breaks and tabs included, becomes an escape such as `\x1b` or `\u202e`. */
export function escapeLine(text: string): string {
  return text.replace(UNSAFE, visible).replace(LONE_SURROGATE, visible)
}

/** Several lines: as `escapeLine`, but line breaks and tabs stay. */
export function escapeText(text: string): string {
  const keep = (found: string): string => (found === '\n' || found === '\t' ? found : visible(found))
  return text.replace(UNSAFE, keep).replace(LONE_SURROGATE, visible)
}

/** JSON text whose value is unchanged but which holds no character a terminal would act on. */
export function escapeJson(json: string): string {
  const escaped = (found: string): string => {
    if (found === '\n') return found
    let out = ''
    for (let i = 0; i < found.length; i++) out += `\\u${hex(found.charCodeAt(i), 4)}`
    return out
  }
  return json.replace(UNSAFE, escaped).replace(LONE_SURROGATE, escaped)
}

/** A path or an argument as a person would type it in a POSIX shell; plain words stay as they are. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}
