/**
 * Makes text from projects and agents safe to print: control, bidirectional and invisible characters become visible
 * escapes. A terminal would execute control sequences, and bidirectional overrides can hide code (CVE-2021-42574).
 */

import { commandWord } from '../../contract/words/shell.ts'

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

/** Escapes one line: every unsafe character, including line breaks and tabs, becomes `\x1b`, `\u202e` and the like. */
export function escapeLine(text: string): string {
  return text.replace(UNSAFE, visible).replace(LONE_SURROGATE, visible)
}

/** Escapes several lines: as `escapeLine`, but keeps line breaks and tabs. */
export function escapeText(text: string): string {
  const keep = (character: string): string =>
    character === '\n' || character === '\t' ? character : visible(character)
  return text.replace(UNSAFE, keep).replace(LONE_SURROGATE, visible)
}

/** Escapes unsafe characters within JSON text; the parsed value stays the same. */
export function escapeJson(json: string): string {
  const escaped = (character: string): string => {
    if (character === '\n') return character
    let out = ''
    for (let i = 0; i < character.length; i++) out += `\\u${hex(character.charCodeAt(i), 4)}`
    return out
  }
  return json.replace(UNSAFE, escaped).replace(LONE_SURROGATE, escaped)
}

/** A path in a command that is printed, for the shells of this system. */
export function shownPath(path: string): string {
  return commandWord(escapeLine(path), process.platform)
}
