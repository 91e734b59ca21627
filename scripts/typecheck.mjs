// `npm run typecheck`: checks each layer with its own globals (the engine has no window, pages have no Buffer), then
// tests and tools.
// Each layer leaves its declarations in out/types: what imports it reads those instead of checking its sources again.
import { spawnSync } from 'node:child_process'
import { ensureFitNode, root } from './node-choice.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)

const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '--build'], { stdio: 'inherit' })
process.exitCode = status ?? 1
