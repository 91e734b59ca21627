/**
 * Reads which of our hooks Codex may run. Codex keeps the user's decisions in its config.toml, for each file, event
 * and index in it.
 */
import { join } from 'node:path'
import { errorCode, isUnreadable } from '../../files/fs-errors.ts'
import { readTextIfExists } from './launcher.ts'
import { SettingsSyntaxError } from './settings-syntax.ts'
import { readToml } from './toml-table.ts'

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
  let found: unknown
  try {
    found = readToml(readTextIfExists(join(folder, 'config.toml')) ?? '', ['hooks', 'state'])
  } catch (error) {
    if (error instanceof SettingsSyntaxError || isUnreadable(error) || errorCode(error) === 'EISDIR') return null
    throw error
  }
  const states = Object.entries((found ?? {}) as Record<string, { trusted_hash?: unknown; enabled?: unknown }>)
    .filter(([key]) => key.startsWith(`${hooks}:`))
    .map(([, state]) => state)
  return {
    trusted: states.filter(({ trusted_hash }) => typeof trusted_hash === 'string' && trusted_hash !== '').length,
    off: states.filter(({ enabled }) => enabled === false).length
  }
}
