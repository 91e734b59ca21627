/**
 * The editor of the person who runs this process: the program of $VISUAL or $EDITOR if it opens a window of its own, else
 * the first known one on the PATH. Others need a terminal, which a background process has not. The system's own choice by
 * file type is never used: it can execute a hostile project's file.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, posix } from 'node:path'
import { commandWords } from '../../../contract/words/shell.ts'
import { findProgram, type Place, programStart } from './programs.ts'

/** The arguments that open a file, at a line from 1 on. */
type AtLine = (file: string, line: number) => readonly string[]

const VS_CODE: AtLine = (file, line) => ['--goto', `${file}:${line}`]
const WITH_COLON: AtLine = (file, line) => [`${file}:${line}`]
const JETBRAINS: AtLine = (file, line) => ['--line', `${line}`, file]
const PLUS: AtLine = (file, line) => [`+${line}`, file]
const DASH_L: AtLine = (file, line) => ['-l', `${line}`, file]

/** Editors with windows of their own, and how each is given a line; in the order in which they are looked for. */
const EDITORS: Readonly<Record<string, AtLine>> = {
  code: VS_CODE,
  cursor: VS_CODE,
  windsurf: VS_CODE,
  codium: VS_CODE,
  'code-insiders': VS_CODE,
  zed: WITH_COLON,
  subl: WITH_COLON,
  idea: JETBRAINS,
  webstorm: JETBRAINS,
  pycharm: JETBRAINS,
  goland: JETBRAINS,
  rustrover: JETBRAINS,
  'notepad++': (file, line) => [`-n${line}`, file],
  bbedit: PLUS,
  mate: DASH_L,
  kate: DASH_L,
  gedit: PLUS,
  'gnome-text-editor': (file) => [file],
  gvim: PLUS,
  mvim: PLUS
}

export interface Editor {
  /** As people call its program: `code`. */
  readonly name: string
  readonly program: string
  readonly options: readonly string[]
}

/** Null without one, or where no window can be shown, as on a Linux server. */
export function findEditor(place: Place): Editor | null {
  const { env, platform = process.platform } = place
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return null
  for (const setting of [env.VISUAL, env.EDITOR]) {
    const [program = '', ...options] = wordsOf(setting ?? '', platform)
    const name = nameOf(program, platform)
    // `--wait` is for callers such as git.
    if (Object.hasOwn(EDITORS, name))
      return { name, program, options: options.filter((option) => option !== '--wait' && option !== '-w') }
  }
  const name = Object.keys(EDITORS).find((editor) => findProgram(editor, place) !== null)
  return name === undefined ? null : { name, program: name, options: [] }
}

/** Windows takes a slash for a backslash, which would be read as an escape. */
function wordsOf(setting: string, platform: string): readonly string[] {
  return commandWords(platform === 'win32' ? setting.replaceAll('\\', '/') : setting) ?? []
}

/** As in EDITORS. Windows knows no case, and a program's name has an ending there. */
function nameOf(program: string, platform: string): string {
  const name = posix.basename(program)
  return platform === 'win32' ? name.toLowerCase().replace(/\.(exe|cmd)$/, '') : name
}

/**
 * Opens a file without waiting for the editor. `file`: an absolute path, so that it cannot be taken for an option;
 * `line`: from 1 on, null for none. Rejects if the program cannot be started.
 */
export async function openInEditor(editor: Editor, file: string, line: number | null, place: Place): Promise<void> {
  const args = line === null ? [file] : (EDITORS[editor.name] as AtLine)(file, line)
  const start = programStart(editor.program, [...editor.options, ...args], place)
  const child = spawn(start.file, start.args, {
    cwd: dirname(file),
    env: { ...place.env },
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
    windowsVerbatimArguments: start.verbatim
  })
  await once(child, 'spawn')
  child.unref()
}
