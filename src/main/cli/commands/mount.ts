/**
 * `driftline mount`: a read-only view of the folder at a position, for as long as the command runs. The mount is in a
 * namespace of a process of ours; DIR is a link to it through /proc, so that no root is needed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { lstatSync, mkdirSync, readlinkSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { unavailableNotice } from '../../../contract/words/bisect.ts'
import { errorCode, ifExists } from '../../engine/files/fs-errors.ts'
import { ownProcess } from '../../engine/ports/processes.ts'
import { removePosition } from '../bisect/position-copy.ts'
import { chooseMethod, openView } from '../bisect/position-view.ts'
import { command } from '../command.ts'
import { currentFolder } from '../context.ts'
import { onEndSignal } from '../end-signals.ts'
import { escapeLine, escapeText } from '../escape.ts'

/** Answers that the mount is made, then holds it until its stdin ends. */
const HOLD = ['sh', '-c', 'echo mounted; exec cat']

export const mount = command({
  name: 'mount',
  onlyHere: true,
  usage: ['TARGET DIR'],
  summary: 'show the folder as it was at a target in DIR, read-only, until Ctrl+C',
  positionals: [2, 2],
  run: async (context, { positionals: [target = '', typed = ''] }) => {
    const { root } = await context.workspace()
    const link = resolve(currentFolder(context.invocation), typed)
    if (ifExists(() => lstatSync(link)))
      throw new DriftlineError('Usage', `${typed} exists. Name a folder that does not exist yet.`, { path: link })
    if (!ifExists(() => statSync(dirname(link)))?.isDirectory())
      throw new DriftlineError('Usage', `There is no folder ${dirname(link)}. Make it, then mount again.`, {
        path: link
      })
    // Before there is anything to remove.
    const { promise: signalled, resolve: end } = Promise.withResolvers<void>()
    const stopListening = onEndSignal(() => end())
    const position = await context.ask('position.write', { target, owner: ownProcess() })
    try {
      const trial = join(position.folder, 'trial')
      mkdirSync(trial)
      const method = await chooseMethod(trial, root)
      if (method === 'copy')
        throw new DriftlineError(
          'Refused',
          'This system has no overlay mounts for you. `driftline at TARGET -- CMD` runs a command in a copy instead.'
        )
      if (position.unavailable.length > 0) context.output.note(escapeText(unavailableNotice(position.unavailable)))
      const view = await openView(position, { root, inside: '', method, readOnly: true })
      const { file, args } = view.wrap(HOLD as [string, ...string[]])
      const holder = spawn(file, [...args], { cwd: '/', stdio: ['pipe', 'pipe', 'pipe', 'pipe'], detached: true })
      const exited = new Promise((done) => holder.once('exit', done))
      await mounted(holder)
      const place = `/proc/${holder.pid}/root${root}`
      try {
        symlinkSync(place, link)
      } catch (error) {
        holder.kill('SIGTERM')
        await exited
        throw new DriftlineError('Refused', `Couldn’t make ${link} (${errorCode(error)}). Nothing was changed.`)
      }
      context.output.note(`${escapeLine(link)} shows the folder at ${escapeLine(target)}. Ctrl+C ends it.`)
      await context.release()
      await Promise.race([signalled, exited])
      holder.kill('SIGTERM')
      await exited
      if (ifExists(() => readlinkSync(link)) === place) unlinkSync(link)
      return 0
    } finally {
      stopListening()
      await removePosition(position)
    }
  }
})

/** Resolves when the holder has the mount. Fails with Refused if it ends before. */
function mounted(holder: ChildProcess): Promise<void> {
  let text = ''
  holder.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  return new Promise((done, fail) => {
    holder.stdout?.once('data', () => done())
    holder.once('error', fail)
    holder.once('exit', () =>
      fail(new DriftlineError('Refused', `Couldn’t mount the position: ${text.trim()}. Nothing was changed.`))
    )
  })
}
