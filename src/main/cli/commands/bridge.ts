/** `driftline bridge`: the recorder's socket on stdin and stdout, for a caller that can only start a command here. */
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { DriftlineError } from '../../../contract/errors.ts'
import { dialHost } from '../../host/pipe-proof.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { requireRecorder } from '../open-client.ts'

export const bridge = command({
  name: 'bridge',
  onlyHere: true,
  usage: [''],
  summary: 'join stdin and stdout to the recorder; `driftline --host` starts this on the other machine',
  run: async (context) => {
    const socket = await dialRecorder(context)
    if ((await joinStreams(process.stdin, process.stdout, socket)) === 'caller') return 0
    throw new DriftlineError(
      'Disconnected',
      'The recorder ended, and the bridge with it. Nothing recorded was lost. Connect again: the next one is started.'
    )
  }
})

/** A connection that has sent nothing yet but the proof of who this is. Starts the recorder if none runs. */
async function dialRecorder({ dataDir, invocation }: Context): Promise<Socket> {
  const recorder = await requireRecorder(dataDir, invocation.programs.recorder, invocation.patience)
  try {
    const { socket, ready } = dialHost(recorder.file)
    await ready
    return socket
  } catch (error) {
    // Expected: ECONNREFUSED, ENOENT, when it ended after its first answer.
    throw new DriftlineError(
      'Disconnected',
      `The recorder ended at this moment (${(error as Error).message}). Nothing recorded was lost. Connect again.`
    )
  } finally {
    recorder.disconnect()
  }
}

/**
 * Passes bytes on as they are, in both directions, until either side closes; resolves with who did. A side that does not
 * read slows the other down: nothing is kept but the buffers of the streams.
 */
function joinStreams(input: Readable, output: Writable, socket: Socket): Promise<'caller' | 'recorder'> {
  return new Promise((resolve) => {
    let closedBy: 'caller' | 'recorder' = 'recorder'
    const leave = (): void => {
      closedBy = 'caller'
      socket.destroy()
    }
    input.once('end', () => {
      closedBy = 'caller'
    })
    // A caller that was killed: EPIPE, ECONNRESET.
    input.once('error', leave)
    output.once('error', leave)
    // Expected: ECONNRESET, when the recorder was killed; 'close' follows.
    socket.on('error', () => {})
    // Not before the last bytes have left: 'end' of the socket comes once they were passed on.
    socket.once('close', () => {
      input.unpipe(socket)
      input.destroy()
      output.write('', () => resolve(closedBy))
    })
    socket.pipe(output, { end: false })
    input.pipe(socket)
  })
}
