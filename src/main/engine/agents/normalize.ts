/** Turns the hook events of each agent into the common model. Pure: the hook itself uses it, to know the files it names. */
import type { Adapter } from './adapter.ts'
import type { AgentEvent, AgentId } from './agent-action.ts'
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

/** [GW-2] A session id is used in argv and printed; events with any other form of id are refused. */
const SESSION_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The event in the common model; null when the payload is not understood. */
export function normalizeEvent(agent: AgentId, event: string, payload: unknown): AgentEvent | null {
  const normalized = ADAPTERS[agent](event, asFields(payload))
  return normalized && SESSION_ID.test(normalized.origin.session) ? normalized : null
}
