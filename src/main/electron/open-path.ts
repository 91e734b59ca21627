/**
 * Shows a project file in an editor or the file manager. Never uses shell.openPath: it would start the default program of
 * the file type, which can execute a hostile project's file.
 */
import { spawn } from 'node:child_process'
import { basename, isAbsolute } from 'node:path'
import { shell } from 'electron'

/** Editors that open their own window. Others need a terminal. */
const WINDOWED_EDITORS = new Set([
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

/** Program and arguments of $VISUAL or $EDITOR if it opens its own window, else null. */
export function windowedEditor(env: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  for (const setting of [env.VISUAL, env.EDITOR]) {
    const command = setting?.trim().split(/\s+/) ?? []
    const program = command[0]
    if (program && WINDOWED_EDITORS.has(basename(program).replace(/\.(exe|cmd)$/i, ''))) return command
  }
  return null
}

/** Shows the path in the system's file manager. Anything but an absolute path is ignored. */
export function showInFolder(path: unknown): void {
  if (isPath(path)) shell.showItemInFolder(path)
}

/** Opens the path in the configured editor if it opens its own window, else shows it in the file manager. */
export async function openInEditor(path: unknown): Promise<void> {
  if (!isPath(path)) return
  const editor = windowedEditor(process.env)
  if (!editor) return showInFolder(path)
  const [program = '', ...options] = editor
  // `--wait` is for callers such as git. The path is absolute, so it cannot be parsed as an option.
  const args = [...options.filter((option) => option !== '--wait' && option !== '-w'), path]
  await new Promise<void>((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
    child.once('error', () => {
      // Expected: ENOENT. A program started from a menu may have another PATH than a shell.
      showInFolder(path)
      resolve()
    })
  })
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && isAbsolute(path) && !path.includes('\0')
}
