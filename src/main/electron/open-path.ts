/**
 * Shows a project's file to the person. Never by the system's "open": that runs whatever program the file's type names,
 * and the files of a project are not trusted.
 */
import { spawn } from 'node:child_process'
import { basename, isAbsolute } from 'node:path'
import { shell } from 'electron'

/** Editors that open a window of their own and come back at once; others would need a terminal. */
const WITH_WINDOWS = new Set([
  'code',
  'code-insiders',
  'codium',
  'cursor',
  'windsurf',
  'zed',
  'subl',
  'gedit',
  'gnome-text-editor',
  'kate',
  'mate',
  'bbedit',
  'gvim',
  'mvim',
  'idea',
  'webstorm',
  'pycharm',
  'goland',
  'rustrover',
  'notepad++'
])

/** Program and arguments of the configured editor if it has a window, else null. */
export function windowedEditor(env: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  for (const setting of [env.VISUAL, env.EDITOR]) {
    const words = setting?.trim().split(/\s+/) ?? []
    const program = words[0]
    if (program && WITH_WINDOWS.has(basename(program).replace(/\.(exe|cmd)$/i, ''))) return words
  }
  return null
}

/** Shows the path in the system's file manager. Anything but an absolute path is ignored. */
export function showInFolder(path: unknown): void {
  if (isPath(path)) shell.showItemInFolder(path)
}

/** Opens the path in the configured editor; without one that has a window, shows it in its folder. */
export async function openInEditor(path: unknown): Promise<void> {
  if (!isPath(path)) return
  const editor = windowedEditor(process.env)
  if (!editor) return showInFolder(path)
  const [program = '', ...words] = editor
  // `--wait` is for git and the like; nobody waits here. An absolute path can never be taken for an option.
  const args = [...words.filter((word) => word !== '--wait' && word !== '-w'), path]
  await new Promise<void>((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
    child.once('error', () => {
      // Expected: ENOENT, the editor is not on the PATH of a program started from a menu.
      showInFolder(path)
      resolve()
    })
  })
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path) && !path.includes('\0')
}
