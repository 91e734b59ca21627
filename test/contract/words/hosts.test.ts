/** The words about hosts, and the reading of a command. */
import { expect, test } from 'vitest'
import { type HostPlace, idOnHost, placeOf } from '../../../src/contract/hosts.ts'
import {
  clockText,
  hostAwayReason,
  hostAwayText,
  hostRestoredText,
  hostStateText,
  offsetText,
  terminalCommand,
  timeHere
} from '../../../src/contract/words/hosts.ts'

const NOW = new Date(2026, 10, 20, 14, 30).getTime()
const place = (more: Partial<HostPlace>): HostPlace => ({
  name: 'box',
  command: ['ssh', 'box', 'sh'],
  phase: 'connected',
  since: NOW - 60_000,
  lastSeenAt: NOW - 120_000,
  reason: '',
  printed: '',
  outdated: null,
  version: '',
  clock: null,
  workspaces: [],
  ...more
})

test('the command for a terminal is read by a shell as the same words', () => {
  const command = ['ssh', '-i', "it's", 'a b', '$(x)', 'sh']
  const line = terminalCommand(place({ command }))
  expect(line).toBe(`driftline hosts add box -- ssh -i 'it'\\''s' 'a b' '$(x)' sh`)
})

test('[RH-7] a clock that differs is named, and its times are shown by the clock here', () => {
  expect([offsetText(0), offsetText(120), offsetText(-210)]).toEqual(['UTC+0', 'UTC+2', 'UTC-3:30'])
  expect(clockText(null, 0)).toBe('')
  expect(clockText({ utcOffset: 60, ahead: 900 }, 60)).toBe('')
  expect(clockText({ utcOffset: -300, ahead: -192_000 }, 60)).toBe('time zone UTC-5, clock 3 min 12 s behind')
  expect([timeHere(1e6, { utcOffset: 0, ahead: 6000 }), timeHere(1e6, { utcOffset: 0, ahead: 900 })]).toEqual([
    994_000, 1e6
  ])
})

test('[RH-6] the state of a host says what is unavailable, since when, and why', () => {
  expect(hostStateText(place({ phase: 'unreachable' }), NOW)).toBe('out of reach since 14:29')
  expect(hostStateText(place({ phase: 'needs-update', outdated: 'near' }), NOW)).toBe('this computer needs an update')
  expect(hostAwayReason(place({ phase: 'connecting' }))).toBe('connecting to box')
  const { lead, rest, detail } = hostAwayText(place({ phase: 'unreachable', reason: 'It ended with 255.' }), NOW)
  expect(`${lead}${rest} ${detail}`).toBe(
    'box is out of reach since 14:29. Restore and undo are unavailable. You see what was last loaded, at 14:28. Recording continues there. It ended with 255.'
  )
})

test('[RH-5] the outcome of a restore after a loss says whether anything was written', () => {
  const restored = { host: 'box', workspace: 'box:ws_1', files: 3 }
  expect(hostRestoredText({ ...restored, state: 'done' })).toBe('The restore on box was completed: 3 files.')
  expect(hostRestoredText({ ...restored, state: 'not-begun' })).toContain('Nothing was written there.')
})

test('[RH-6] the id of a workspace names its host; ids of this computer name none', () => {
  expect(placeOf(idOnHost('box', 'ws_1'))).toEqual({ host: 'box', id: 'ws_1' })
  expect([placeOf('ws_1'), placeOf(':ws_1'), placeOf('')]).toEqual([null, null, null])
})
