/** Each status of an agent has its own text; the most important one is shown. */
import { describe, expect, test } from 'vitest'
import type { AgentState } from '../../../src/contract/agents.ts'
import { describeAgent } from '../../../src/contract/words/agent-status.ts'
import { agentState } from '../make.ts'

const NOW = new Date(2026, 10, 21, 15, 0).getTime()

const connected: Partial<AgentState> = { connected: 'yes', entries: { found: 9, wanted: 9 } }

/** The status line of an agent. */
function statusLine(more: Partial<AgentState>, connectedIn: 'user' | 'project' | null = null): string {
  const { lead, details } = describeAgent({ state: agentState(more), connectedIn }, '/home/kim', NOW)
  return [lead, ...details].join(' · ')
}

describe('an agent', () => {
  test.each<[string, string, Partial<AgentState>]>([
    ['found', 'Found on this computer · version 0.169.0 · not connected', {}],
    ['absent', 'Not found on this computer', { found: false }],
    ['connected', 'Connected · no events yet · 9 entries in ~/.codex/hooks.json', connected],
    [
      'not trusted',
      'Connected, not trusted yet · runs Driftline’s hooks once you trust them',
      { ...connected, trusted: false }
    ],
    [
      'silent',
      'Connected, but not reporting. · It ran without sending events. Restart it.',
      { ...connected, silent: true }
    ],
    [
      'partly',
      'Partly connected · 3 of 9 entries in ~/.codex/hooks.json',
      { connected: 'partly', entries: { found: 3, wanted: 9 } }
    ],
    [
      'managed',
      'Managed by policy · /etc/x allows only your organisation’s hooks',
      { ...connected, managed: { code: 'policy', file: '/etc/x' } }
    ],
    [
      'unreadable',
      'Couldn’t read the settings. · ~/.codex/hooks.json, line 14: a comma is missing',
      { ...connected, unreadable: { file: '/home/kim/.codex/hooks.json', line: 14, message: 'a comma is missing' } }
    ]
  ])('that is %s', (_, words, more) => {
    expect(statusLine(more)).toBe(words)
  })

  test('shows the last event as a clock time, with the day unless it is today', () => {
    const at = new Date(2026, 10, 21, 14, 31).getTime()
    expect(statusLine({ ...connected, lastEventAt: at })).toContain('last event 14:31')
    expect(statusLine({ ...connected, lastEventAt: at - 24 * 3600_000 })).toContain('last event yesterday 14:31')
  })

  test('shows a project-only connection', () => {
    const here = { ...connected, file: '/code/shop/.codex/hooks.json' }
    expect(statusLine(here, 'project')).toBe(
      'Connected · this project only · no events yet · 9 entries in /code/shop/.codex/hooks.json'
    )
    expect(statusLine(connected, 'user')).toBe('Connected · no events yet · 9 entries in ~/.codex/hooks.json')
  })
})
