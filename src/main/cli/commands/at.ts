/** `driftline at`: a command in the folder as it was at a position. The folder itself stays as it is. */
import type { StdioOptions } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { WrittenPosition } from '../../../contract/bisect.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { copyNotice, unavailableNotice } from '../../../contract/words/bisect.ts'
import { ownProcess } from '../../engine/ports/processes.ts'
import { usage } from '../arguments.ts'
import { removePosition } from '../bisect/position-copy.ts'
import { chooseMethod, hasFolder, openView, READY, type View } from '../bisect/position-view.ts'
import { raiseShield } from '../child.ts'
import { command } from '../command.ts'
import { type Context, currentFolder } from '../context.ts'
import { escapeText } from '../escape.ts'
import { realFolder, workspacePath } from '../paths.ts'

export const at = command({
  name: 'at',
  onlyHere: true,
  usage: ['TARGET -- CMD…'],
  summary: 'run a command in the folder as it was at a target; exits with the code of the command',
  positionals: [1, 1],
  takesCommand: true,
  run: async (context, { positionals: [target = ''], rest }) => {
    const [program, ...args] = rest ?? []
    if (program === undefined) throw usage(at, 'Missing command after `--`.')
    const { root } = await context.workspace()
    const inside = startFolder(context, root)
    // Raised before the first file is written, so that a signal leaves nothing behind.
    const shield = raiseShield()
    let position: WrittenPosition | null = null
    try {
      position = await context.ask('position.write', { target, owner: ownProcess() })
      if (!hasFolder(position, root, inside))
        throw new DriftlineError('UnknownTarget', `${inside} did not exist at ${target}. Nothing ran.`, {
          path: inside
        })
      const view = await openPosition(position, root, inside)
      if (view.method === 'copy') note(context, copyNotice(view.cwd))
      if (position.unavailable.length > 0) note(context, unavailableNotice(position.unavailable))
      await context.release()
      const { file, args: wrapped, piped } = view.wrap([program, ...args])
      const child = await runInView(shield, context, view, { file, args: wrapped, piped })
      if (child.failure) note(context, child.failure)
      return child.exitCode
    } finally {
      shield.release()
      if (position) await removePosition(position)
    }
  }
})

/** The current folder, from the root of the recorded folder; with `--folder` elsewhere that root. */
export function startFolder(context: Context, root: string): string {
  try {
    return workspacePath(root, realFolder(currentFolder(context.invocation)), '.')
  } catch (error) {
    if (error instanceof DriftlineError && error.code === 'PathOutsideWorkspace') return ''
    throw error
  }
}

/** The view by the best method that works here. */
async function openPosition(position: WrittenPosition, root: string, inside: string): Promise<View> {
  const trial = join(position.folder, 'trial')
  mkdirSync(trial)
  return openView(position, { root, inside, method: await chooseMethod(trial, root) })
}

interface Wrapped {
  readonly file: string
  readonly args: readonly string[]
  readonly piped: boolean
}

async function runInView(
  shield: ReturnType<typeof raiseShield>,
  context: Context,
  { cwd, method }: View,
  { file, args, piped }: Wrapped
) {
  const stdio: StdioOptions = piped ? ['inherit', 'inherit', 'pipe', 2] : 'inherit'
  const { DRIFTLINE_RUN: _run, ...env } = context.invocation.env
  let reported = ''
  const child = await shield.run({
    command: file,
    args,
    cwd: method === 'copy' ? cwd : '/',
    env: { ...env, PWD: cwd },
    stdoutToStderr: false,
    stdio,
    onStart: (started) => {
      started.stderr?.setEncoding('utf8').on('data', (text: string) => {
        reported += text
      })
    }
  })
  if (!piped || child.failure || reported === READY) return child
  throw new DriftlineError('Refused', `Couldn’t mount the position: ${reported.trim()}. Nothing ran.`, {})
}

function note(context: Context, sentence: string): void {
  context.output.note(`${context.output.paintNote('dim', 'driftline:')} ${escapeText(sentence)}`)
}
