// `npm run typecheck`: checks each layer with its own globals (the engine has no window, pages have no Buffer), then tests and tools.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureFitNode, root } from './node-choice.mjs'

const PROJECTS = ['src/contract', 'src/main', 'src/preload', 'src/renderer', '.']

const TSC = join('node_modules', 'typescript/bin/tsc')
/** What was found last time: only what depends on a changed file is checked again. */
const info = (project) => join('out/types', `${project.replaceAll('/', '-')}.json`)

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)

const failed = PROJECTS.filter(
  (project) =>
    spawnSync(
      process.execPath,
      [TSC, '--noEmit', '--project', project, '--incremental', '--tsBuildInfoFile', info(project)],
      {
        stdio: 'inherit'
      }
    ).status !== 0
)
if (failed.length > 0) console.log(`Type errors in: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
