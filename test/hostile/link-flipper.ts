/** Swaps a folder and a file with links that point out of the workspace, repeatedly, until it is killed. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'

const root = process.argv[2] as string
const rename = (from: string, to: string): void => {
  try {
    renameSync(join(root, from), join(root, to))
  } catch (error) {
    // Expected: a restore replaced one of them meanwhile.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}
const flip = (name: string): void => {
  rename(name, `.${name}-real`)
  rename(`.${name}-link`, name)
  rename(name, `.${name}-link`)
  rename(`.${name}-real`, name)
}
process.send?.('flipping')
for (;;) {
  flip('d')
  flip('f')
}
