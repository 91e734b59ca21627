/** Detects settings that override the user's: an organisation's policy, or a file the user may not write. */
import { accessSync, constants, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, ifReadable, isNotFound } from '../../files/fs-errors.ts'
import type { AgentId } from '../agent-action.ts'
import type { Places } from './registrations.ts'

interface Policy {
  /** Path below the file system's root, by platform. Other platforms keep policies elsewhere than in a file. */
  readonly files: Partial<Record<NodeJS.Platform, string>>
  /** Matches a policy that disables the user's own hooks. */
  readonly forbids: RegExp
}

const POLICIES: Partial<Record<AgentId, Policy>> = {
  'claude-code': {
    files: {
      linux: 'etc/claude-code/managed-settings.json',
      darwin: 'Library/Application Support/ClaudeCode/managed-settings.json'
    },
    forbids: /"(allowManagedHooksOnly|disableAllHooks)"\s*:\s*true/
  },
  codex: {
    files: { linux: 'etc/codex/requirements.toml', darwin: 'etc/codex/requirements.toml' },
    forbids: /^\s*allow_managed_hooks_only\s*=\s*true/m
  },
  'gemini-cli': {
    files: {
      linux: 'etc/gemini-cli/settings.json',
      darwin: 'Library/Application Support/GeminiCli/settings.json'
    },
    forbids: /"hooksConfig"\s*:\s*\{[^}]*"enabled"\s*:\s*false/
  },
  'qwen-code': {
    files: { linux: 'etc/qwen-code/settings.json', darwin: 'Library/Application Support/QwenCode/settings.json' },
    forbids: /"disableAllHooks"\s*:\s*true/
  }
}

/** Why our entries cannot be written or would not run, as a sentence; "" when nothing overrides the user. */
export function findManagedReason(agent: AgentId, places: Places, files: readonly string[]): string {
  const policy = POLICIES[agent]
  const name = policy?.files[process.platform]
  if (policy && name) {
    const file = join(places.system ?? '/', name)
    // Nothing is known about a policy that cannot be read.
    const text = ifReadable(() => readFileSync(file, 'utf8'))
    if (text && policy.forbids.test(text)) return `${file} allows only your organisation's hooks.`
  }
  const locked = files.find((file) => !canWrite(file))
  return locked ? `You have no permission to write ${locked}.` : ''
}

/** Whether the file, or the nearest existing folder above it, is writable. */
function canWrite(file: string): boolean {
  for (let at = file; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK)
      return true
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error))) return false
      if (!isNotFound(error)) throw error
    }
    if (dirname(at) === at) return false
  }
}
