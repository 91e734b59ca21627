/** Which of our hooks Codex may run: it keeps what a person trusted in its config.toml, per file, event and place in it. */
import { join } from 'node:path'
import { errorCode, isUnreadable } from '../../ports/fs-errors.ts'
import { readTextIfExists } from './launcher.ts'

export interface CodexTrust {
  /** Hooks a person trusted. */
  readonly trusted: number
  /** Hooks a person switched off. */
  readonly off: number
}

/** What Codex refuses, and what to do; "" when it runs all of our hooks. */
export function untrustedHooksMessage({ trusted }: CodexTrust, hooks: number): string {
  return trusted < hooks ? `Codex trusts ${trusted} of ${hooks} hooks: open it and type /hooks.` : ''
}

/**
 * From its settings, null when they cannot be read. `hooks` is the file our hooks stand in. Whether a hook's text is still the
 * one that was trusted, only Codex can tell (ask-codex.ts).
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

/** A key in quotes, and what is set for it, in either way TOML writes a table. */
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
