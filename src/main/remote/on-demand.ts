/**
 * What only commands about another machine need, in one file of the build: others never load it, and a build that has few
 * such files leaves what they share with all commands in the program itself (electron.vite.config.ts).
 */
export { buildIdOf } from './build.ts'
export { hostProblems } from './host-check.ts'
export { installBuild, runWhatIsThere } from './installation.ts'
export { type OpenedHost, openRemote } from './open-remote.ts'
