/** `driftline hook` in the table of commands. The entry file runs the hook itself, before this module is loaded. */
import { command } from '../command.ts'

export const hook = command({
  name: 'hook',
  usage: ['AGENT EVENT'],
  summary: 'called by agents with an event as JSON on stdin; prints nothing and always exits 0',
  options: {},
  positionals: [0, 2],
  run: async () => 0
})
