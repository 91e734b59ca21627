/** `driftline settings`: shows and changes settings, for all folders or, with `--folder`, for one. */
import { DriftlineError } from '../../../contract/errors.ts'
import { SETTING_KEYS, SETTINGS, type SettingKey } from '../../../contract/settings.ts'
import { boundsText, MEANINGS } from '../../../contract/words/settings.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { usage } from '../arguments.ts'
import { columns } from '../columns.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { escapeLine } from '../escape.ts'

/** A setting as `--json` prints it. */
interface SettingRow {
  readonly key: SettingKey
  readonly value: string
  readonly default: string
  /** Where the value is set: `folder` if the folder of `--folder` has its own. */
  readonly scope: 'all' | 'folder'
  readonly meaning: string
  readonly bounds: string
}

export const settings = command({
  name: 'settings',
  usage: ['[KEY [VALUE]] [--folder DIR]', 'KEY --reset [--folder DIR]'],
  summary: 'show or change settings, for all folders or one',
  options: { reset: { type: 'boolean', help: 'use the default again, or with --folder the value for all folders' } },
  positionals: [0, 2],
  run: async (context, { values: { reset = false }, positionals: [typed, value] }) => {
    if (reset && (typed === undefined || value !== undefined)) throw usage(settings, '--reset takes one KEY.')
    const id = context.folderOption === undefined ? null : (await context.workspace()).id
    const keys = typed === undefined ? SETTING_KEYS.filter((key) => appliesTo(key, id)) : [knownKey(typed, id)]
    const [key] = keys
    if (key !== undefined && (reset || value !== undefined)) await set(context, key, id, reset ? '' : (value ?? ''))
    const { values } = await context.call('settings.get', {})
    const rows = keys.map((key) => rowOf(key, id, values))
    const lines = columns(rows.map((row) => rowColumns(row, context)))
    // The list stays narrow; one setting explains itself.
    return context.output.print(
      { settings: rows },
      typed === undefined ? lines : [...lines, ...rows.map(({ meaning }) => `  ${meaning}`)]
    )
  }
})

/** Whether a setting can be set for all folders, or for the one with this id. */
function appliesTo(key: SettingKey, id: string | null): boolean {
  return id === null ? SETTINGS[key].scope !== 'folder' : SETTINGS[key].scope !== 'all'
}

function knownKey(typed: string, id: string | null): SettingKey {
  const key = SETTING_KEYS.find((known) => known === typed)
  if (key === undefined) throw usage(settings, `There is no setting "${typed}". \`driftline settings\` lists them.`)
  if (appliesTo(key, id)) return key
  const rule = id === null ? 'is set for one folder. Add --folder DIR.' : 'is the same for all folders. Omit --folder.'
  throw new DriftlineError('Usage', `${key} ${rule} Nothing was changed.`)
}

async function set(context: Context, key: SettingKey, id: string | null, typed: string): Promise<void> {
  const value = SETTINGS[key].rule.kind === 'bytes' ? inBytes(typed) : typed
  await context.call('settings.set', { key: id === null ? key : `${key}/${id}`, value })
}

const UNITS: Readonly<Record<string, number>> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30
}

/** "2 GB" as bytes; any other text as it is, for the engine to accept or refuse. */
function inBytes(typed: string): string {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(typed) ?? []
  const factor = UNITS[unit.toLowerCase()]
  return factor === undefined ? typed : String(Math.round(Number(number) * factor))
}

function rowOf(key: SettingKey, id: string | null, values: Readonly<Record<string, string>>): SettingRow {
  const own = id === null ? '' : (values[`${key}/${id}`] ?? '')
  const { initial } = SETTINGS[key]
  return {
    key,
    value: own || values[key] || initial,
    default: initial,
    scope: own === '' ? 'all' : 'folder',
    meaning: MEANINGS[key],
    bounds: boundsText(key)
  }
}

function rowColumns(row: SettingRow, { output }: Context): string[] {
  const shown = SETTINGS[row.key].rule.kind === 'bytes' ? formatBytes(Number(row.value)) : row.value
  const marks = [row.value === row.default ? 'default' : '', row.scope === 'folder' ? 'this folder' : '']
  return [
    output.paint('bold', row.key),
    escapeLine(shown.replaceAll('\n', ', ')),
    output.paint('dim', marks.filter(Boolean).join(', ')),
    output.paint('dim', row.bounds)
  ]
}
