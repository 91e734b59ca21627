/** Every agent we understand and who translates it. */

import type { Adapter, AgentEvent, AgentId } from './agent-action.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { opencode } from './opencode.ts'
import { asFields } from './payload.ts'
import { qwenCode } from './qwen-code.ts'

const ADAPTERS: Readonly<Record<AgentId, Adapter>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  'qwen-code': qwenCode,
  cline,
  opencode
}

/** [GW-2] A session id goes into argv and is printed: anything else is refused. */
const SESSION_ID = /^[A-Za-z0-9._-]{1,128}$/

/** One event in the common shape; null when the payload is not understood. */
export function normalizeEvent(agent: AgentId, event: string, payload: unknown): AgentEvent | null {
  const told = ADAPTERS[agent](event, asFields(payload))
  return told && SESSION_ID.test(told.origin.session) ? told : null
}
