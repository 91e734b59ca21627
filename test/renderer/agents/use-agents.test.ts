/** Agents in user settings and project settings: the user scope takes precedence. */
import { expect, test } from 'vitest'
import type { AgentState } from '../../../src/contract/agents.ts'
import { toolsStatus } from '../../../src/renderer/features/agents/tools-list.tsx'
import { type AgentView, viewsOf } from '../../../src/renderer/features/agents/use-agents.ts'
import { agentState } from '../../contract/make.ts'

function view(user: Partial<AgentState>, project?: Partial<AgentState>): AgentView {
  const [only] = viewsOf([agentState(user)], project ? [agentState(project)] : null)
  if (!only) throw new Error('no view')
  return only
}

test('an agent connected in the project only shows that state; the user scope takes precedence', () => {
  const here = { connected: 'yes', file: '/code/shop/.codex/hooks.json' } as const
  expect(view({}, here)).toMatchObject({ connectedIn: 'project', state: here })
  expect(view({ connected: 'yes' }, here)).toMatchObject({
    connectedIn: 'user',
    state: { file: '/home/kim/.codex/hooks.json' }
  })
  expect(view({})).toMatchObject({ connectedIn: null, state: { file: '/home/kim/.codex/hooks.json' } })
})

test('file tools: the user scope takes precedence over the project; some agents have no known file', () => {
  const toolStatus = (...scopes: Parameters<typeof view>) => toolsStatus(view(...scopes))
  const on = (file: string) => ({ tools: { on: true, file } })
  expect(toolStatus({})).toEqual({ on: false, scope: null, file: '/home/kim/.codex/config.toml' })
  expect(toolStatus(on('/u'), on('/p'))).toEqual({ on: true, scope: 'user', file: '/u' })
  expect(toolStatus({}, on('/p'))).toEqual({ on: true, scope: 'project', file: '/p' })
  expect(toolStatus({ tools: null })).toEqual({ on: false, scope: null, file: null })
})
