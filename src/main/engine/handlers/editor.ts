/** Opens files in the editor of the person at this computer: of recorded folders, and the settings of agents. */
import { stat } from 'node:fs/promises'
import { DriftlineError } from '../../../contract/errors.ts'
import type { EngineContext } from '../context.ts'
import { isNotFound } from '../files/fs-errors.ts'
import { findEditor, openInEditor } from '../ports/editor.ts'
import type { Place } from '../ports/programs.ts'
import { agentStatesFor } from './agents.ts'
import type { Handlers } from './handler.ts'

export const EDITOR: Handlers<'editor.find' | 'editor.open'> = {
  'editor.find': (context) => ({ editor: findEditor(placeIn(context))?.name ?? null }),
  'editor.open': async (context, { file, line }) => {
    const place = placeIn(context)
    const editor = findEditor(place)
    if (!editor)
      throw new DriftlineError(
        'Refused',
        'No editor with a window of its own was found. Set VISUAL to one, such as code or subl, and restart Driftline.'
      )
    if (!isOpenable(context, file))
      throw new DriftlineError('Refused', `${file} is in no recorded folder, so it was not opened.`, { file })
    if (!(await exists(file)))
      throw new DriftlineError('UnknownTarget', `${file} does not exist any more. Restore it to open it.`, { file })
    try {
      await openInEditor(editor, file, line ?? null, place)
    } catch (error) {
      const reason = (error as Error).message
      throw new DriftlineError('Refused', `${editor.program} could not be started: ${reason}.`, { file })
    }
    return { editor: editor.name }
  }
}

function placeIn({ home }: EngineContext): Place {
  return { cwd: home, env: process.env }
}

/** A page may open what it shows, and nothing else of the disk. */
function isOpenable(context: EngineContext, file: string): boolean {
  const isIn = (folder: string): boolean => file.startsWith(`${folder}/`) || file.startsWith(`${folder}\\`)
  if (/(^|[\\/])\.\.([\\/]|$)/.test(file)) return false
  return (
    context.registry.list().some(({ root }) => isIn(root)) ||
    agentStatesFor(context).some((agent) => agent.file === file || agent.unreadable?.file === file)
  )
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
