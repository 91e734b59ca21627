/** The socket of a recorder, in its data folder. */
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listenOnSocket } from '../../../src/main/host/socket-server.ts'
import { tempFolder } from '../../support/tmp.ts'

test('a recorder that ends leaves the socket of its successor', { tags: ['posix'] }, async () => {
  using folder = tempFolder()
  const address = join(folder.path, 'engine.sock')
  const open = () => listenOnSocket({ address, dataDir: folder.path, secret: null, onChannel: () => {} })
  const first = await open()
  // The data folder was deleted and made again.
  rmSync(address)
  const successor = await open()
  await first.close()
  const socket = connect(address)
  await once(socket, 'connect')
  socket.destroy()
  await successor.close()
  await expect(once(connect(address), 'connect')).rejects.toMatchObject({ code: 'ENOENT' })
})
