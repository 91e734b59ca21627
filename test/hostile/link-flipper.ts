/** Swaps a folder and a file with links that point out of the workspace, repeatedly, until it is killed. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'

const root = process.argv[2] as string
const flip = (name: string): void => {
  renameSync(join(root, name), join(root, `.${name}-real`))
  renameSync(join(root, `.${name}-link`), join(root, name))
  renameSync(join(root, name), join(root, `.${name}-link`))
  renameSync(join(root, `.${name}-real`), join(root, name))
}
process.send?.('flipping')
for (;;) {
  flip('d')
  flip('f')
}
