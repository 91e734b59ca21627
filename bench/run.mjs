// `npm run bench -- [TREE]`: builds if needed, then measures with the installed Node. Plain JS: starts on any Node >= 18.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildIfNeeded } from '../scripts/build-if-needed.mjs'
import { ensureFitNode, ownNode, root } from '../scripts/node-choice.mjs'

ensureFitNode(import.meta.filename)
const code = buildIfNeeded()
if (code !== 0) process.exit(code)

// Node 24 runs TypeScript without options; older supported versions need this flag.
const node = ownNode() ?? process.execPath
const result = spawnSync(
  node,
  ['--experimental-strip-types', '--no-warnings', join(root, 'bench/main.ts'), ...process.argv.slice(2)],
  // The figures without a host measure a command that opens the history itself.
  { stdio: 'inherit', env: { ...process.env, DRIFTLINE_RECORDER: 'off' } }
)
process.exit(result.status ?? 1)
