/** The command table: keys, areas and availability. */
import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/renderer/commands/command.ts'
import { commandFor, type KeyContext, runCommand } from '../../../src/renderer/commands/dispatch.ts'
import { COMMANDS, keyedCommands, paletteCommands } from '../../../src/renderer/commands/table.ts'
import { type KeyPress, matchesKeys, showKeys } from '../../../src/renderer/ui/keys.ts'
import { commandState } from './make.ts'
import { press } from './press.ts'

const HERE: KeyContext = { inText: false, pane: null, inDialog: false, letterKeys: true }
const TIMELINE: KeyContext = { ...HERE, pane: 'timeline' }
const idOf = (event: KeyPress, where: KeyContext, mac = false) => commandFor(event, where, mac)?.id ?? null

test('the list of keys has those that work in this window', () => {
  const idsIn = (host: 'browser' | 'electron') =>
    (['anywhere', 'files'] as const).flatMap((when) =>
      keyedCommands(when, commandState({ host })).flatMap(({ id }) => (/pane$|reveal/.test(id) ? [id] : []))
    )
  expect(idsIn('browser')).toEqual([])
  expect(idsIn('electron')).toEqual(['next-pane', 'previous-pane', 'reveal'])
})

test('[UI-56] the palette opens what is shown in a window of its own, in a browser in a tab', () => {
  const ofHost = (host: 'browser' | 'electron') =>
    paletteCommands(commandState({ host })).flatMap(({ id }) => (id.startsWith('new-') ? [id] : []))
  expect(ofHost('browser')).toEqual(['new-tab'])
  expect(ofHost('electron')).toEqual(['new-window'])
})

test('[UI-56] the palette copies what is shown, and says why it cannot', () => {
  const why = (more: object) =>
    paletteCommands(commandState({ workspace: { files: [], review: () => null, ...more } as never })).flatMap(
      ({ id, unavailable }) =>
        id.startsWith('copy-') ? [[id, unavailable?.(commandState({ workspace: more as never }))]] : []
    )
  expect(why({ runUnavailable: 'select a run first', files: [], resumeUnavailable: 'no conversation' })).toEqual([
    ['copy-report', 'select a run first'],
    ['copy-patch', 'no changes are shown'],
    ['copy-resume', 'no conversation']
  ])
  expect(why({ runUnavailable: null, files: [{}], resumeUnavailable: null }).map(([, reason]) => reason)).toEqual([
    null,
    null,
    null
  ])
})

test('a change can be kept without a connection, unless that accepts an outside change', () => {
  const why = (id: string, keepUnavailable: string | null) => {
    const state = commandState({
      offline: 'no connection',
      workspace: { review: () => ({ keepUnavailable }) } as never
    })
    return COMMANDS.find((each) => each.id === id)?.unavailable?.(state)
  }
  expect([why('keep-change', null), why('keep-file', null)]).toEqual([null, null])
  expect([why('keep-change', 'no connection'), why('keep-file', 'no connection')]).toEqual([
    'no connection',
    'no connection'
  ])
  expect(why('undo-change', null)).toBe('no connection')
})

describe('keys', () => {
  test('Mod is Command on a Mac and Control elsewhere', () => {
    expect(idOf(press('Ctrl+k'), HERE)).toBe('palette')
    expect(idOf(press('Meta+k'), HERE, true)).toBe('palette')
    expect(idOf(press('Ctrl+k'), HERE, true)).toBeNull()
  })

  test('Alt with a digit is matched by key position, because Option types characters on a Mac', () => {
    expect(matchesKeys('Alt+1', press('Alt+¡', 'Digit1'), true)).toBe(true)
    expect(idOf(press('Alt+¡', 'Digit1'), HERE, true)).toBe('focus-timeline')
  })

  test('undo and redo of restores do not work in text fields, the palette does', () => {
    const inText: KeyContext = { ...HERE, inText: true }
    expect(idOf(press('Ctrl+z'), HERE)).toBe('undo-restore')
    expect(idOf(press('Ctrl+z'), inText)).toBeNull()
    expect(idOf(press('Ctrl+k'), inText)).toBe('palette')
    expect(idOf(press('Ctrl+Shift+Z'), HERE)).toBe('redo-restore')
    expect(idOf(press('Ctrl+y'), HERE)).toBe('redo-restore')
  })

  test('the history of the shown file opens from every pane and from none', () => {
    for (const pane of [null, 'timeline', 'files', 'diff'] as const)
      expect(idOf(press('Alt+h', 'KeyH'), { ...HERE, pane })).toBe('versions')
    expect(idOf(press('Alt+h', 'KeyH'), { ...HERE, inText: true })).toBeNull()
  })

  test('single letters work only while the timeline has focus and can be switched off', () => {
    expect(idOf(press('r'), TIMELINE)).toBe('restore-here')
    expect(idOf(press('u'), TIMELINE)).toBe('undo-this')
    expect(idOf(press('r'), HERE)).toBeNull()
    expect(idOf(press('r'), { ...TIMELINE, pane: 'files' })).toBeNull()
    expect(idOf(press('r'), { ...TIMELINE, letterKeys: false })).toBeNull()
    expect(idOf(press('?'), { ...TIMELINE, letterKeys: false })).toBeNull()
  })

  test('a question mark works with and without Shift, because keyboards differ', () => {
    expect(idOf(press('Shift+?'), HERE)).toBe('help')
    expect(idOf(press('?'), HERE)).toBe('help')
  })

  test('no command runs behind an open dialog', () => {
    expect(idOf(press('Ctrl+z'), { ...HERE, inDialog: true })).toBeNull()
  })

  test('are shown in the style of the system', () => {
    expect(showKeys('Mod+Shift+Z', true)).toBe('⌘⇧Z')
    expect(showKeys('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z')
  })
})

describe('the table', () => {
  const named = (id: string) => COMMANDS.find((command) => command.id === id) as Command

  test('has unique ids, and unique keys wherever they work', () => {
    const ids = COMMANDS.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const when of ['anywhere', 'outside text', 'timeline', 'files', 'diff', 'dialogs'] as const) {
      const keys = COMMANDS.filter((command) => command.when === when).flatMap((command) => command.keys)
      expect(new Set(keys).size, when).toBe(keys.length)
    }
  })

  test('uses no key that browsers reserve', () => {
    const reserved = ['Mod+1', 'Mod+W', 'Mod+T', 'Mod+N']
    expect(COMMANDS.flatMap(({ keys }) => keys).filter((keys) => reserved.includes(keys))).toEqual([])
  })

  test('an unavailable command gives its reason and does not run', () => {
    let ran = false
    const command = { ...named('undo-restore'), run: () => (ran = true) }
    expect(runCommand(command, commandState())).toBe('open a folder first')
    expect(ran).toBe(false)
    expect(runCommand(named('open-folder'), commandState({ offlineHere: 'not connected' }))).toBe('not connected')
  })
})
