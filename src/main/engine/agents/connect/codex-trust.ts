/**
 * Reads which of our hooks Codex may run. Codex keeps the user's decisions in its config.toml, for each file, event
 * and index in it.
 */
import { join } from 'node:path'
import { errorCode, isUnreadable } from '../../ports/fs-errors.ts'
import { readTextIfExists } from './launcher.ts'

export interface CodexTrust {
  /** Number of hooks the user trusted. */
  readonly trusted: number
  /** Number of hooks the user disabled. */
  readonly off: number
}

/** What Codex refuses and what to do, for users; "" when it runs all of our hooks. */
export function untrustedHooksMessage({ trusted }: CodexTrust, hooks: number): string {
  return trusted < hooks ? `Codex trusts ${trusted} of ${hooks} hooks. Open Codex and type /hooks.` : ''
}

/**
 * Trust according to Codex's settings; null when they cannot be read. `hooks` is the file with our hooks. Whether a
 * hook's text is still the trusted one, only Codex itself can report (query-codex.ts).
 */
export function readCodexTrust(folder: string, hooks: string): CodexTrust | null {
  let text: string | null
  try {
    text = readTextIfExists(join(folder, 'config.toml'))
  } catch (error) {
    if (isUnreadable(error) || errorCode(error) === 'EISDIR') return null
    throw error
  }
  const states = [...parseHookStates(text ?? '')]
    .filter(([key]) => key.startsWith(`${hooks}:`))
    .map(([, state]) => state)
  return {
    trusted: states.filter((state) => /\btrusted_hash\s*=\s*["']\S/.test(state)).length,
    off: states.filter((state) => /\benabled\s*=\s*false\b/.test(state)).length
  }
}

/** Both TOML forms of a hook's state: a table of its own, or an inline table below [hooks.state]. */
const TABLE = /^\s*\[hooks\.state\.(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\]\s*(?:#.*)?$/
const INLINE = /^\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*=\s*\{(.*)\}/

function parseHookStates(text: string): Map<string, string> {
  const states = new Map<string, string>()
  let table: string | null = null
  for (const line of text.split('\n')) {
    const header = TABLE.exec(line)
    if (header) {
      table = header[1] === undefined ? (header[2] ?? '') : unescaped(header[1])
      states.set(table, '')
    } else if (/^\s*\[/.test(line)) table = /^\s*\[hooks\.state\]/.test(line) ? '' : null
    else if (table === '') {
      const inline = INLINE.exec(line)
      if (inline) states.set(inline[1] === undefined ? (inline[2] ?? '') : unescaped(inline[1]), inline[3] ?? '')
    } else if (table !== null) states.set(table, `${states.get(table)}\n${line}`)
  }
  return states
}

function unescaped(basic: string): string {
  return basic.replace(/\\(["\\])/g, '$1')
}
