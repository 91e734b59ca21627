/** `driftline label` and `note`: what a person calls a run, and what they write about it. */
import type { Params } from '../../../contract/api.ts'
import { usage } from '../arguments.ts'
import { command } from '../command.ts'
import { escapeLine, escapeText } from '../escape.ts'

type Kind = 'label' | 'userNote'

function runTextCommand(name: 'label' | 'note', kind: Kind, summary: string, what: string) {
  const made = command({
    name,
    usage: ['RUN [-m TEXT | --remove | --undo]'],
    summary,
    options: {
      message: { type: 'string', short: 'm', value: 'TEXT', help: `the ${what}` },
      remove: { type: 'boolean', help: `remove the ${what}` },
      undo: { type: 'boolean', help: 'undo the last change; given again, redo it' }
    },
    positionals: [1, 1],
    run: async ({ ask, output }, { values: { message, remove, undo }, positionals: [run = ''] }) => {
      if ([message !== undefined, remove === true, undo === true].filter(Boolean).length > 1)
        throw usage(made, 'Use one of -m, --remove and --undo.')
      const change: Omit<Params<'run.describe'>, 'workspace' | 'run'> = {
        ...(message !== undefined && { [kind]: message }),
        ...(remove && { [kind]: '' }),
        ...(undo && { undo: kind })
      }
      const { former: _, ...texts } = await ask('run.describe', { run, ...change })
      const text = texts[kind]
      const none = `${escapeLine(texts.run)} has no ${what}.`
      return output.print(texts, [text === '' ? none : kind === 'label' ? escapeLine(text) : escapeText(text)])
    }
  })
  return made
}

export const label = runTextCommand('label', 'label', 'show, change or remove the name of a run', 'name')
export const note = runTextCommand('note', 'userNote', 'show, change or remove your note about a run', 'note')
