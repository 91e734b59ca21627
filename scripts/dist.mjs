// `npm run dist -- [electron-builder's options]`: builds the installers for this system. Fetches electron-builder if needed.
import { spawnSync } from 'node:child_process'
import { BUILDER } from '../packaging/contents.mjs'
import { writeNotices } from '../packaging/stage.mjs'
import { buildIfNeeded } from './build-if-needed.mjs'
import { root } from './node-choice.mjs'

const code = buildIfNeeded()
if (code !== 0) process.exit(code)
writeNotices(root)
const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
const result = spawnSync(
  npx,
  ['--yes', BUILDER, '--config', 'packaging/electron-builder.mjs', '--publish', 'never', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }
)
process.exit(result.status ?? 1)
