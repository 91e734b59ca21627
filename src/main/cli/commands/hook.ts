/** `driftline hook` in the list of commands; the entry file answers it itself, before anything here is loaded. */
import { command } from '../command.ts'

export const hook = command({
  name: 'hook',
  usage: ['AGENT EVENT'],
  summary: 'what agents call: an event as JSON on stdin; prints nothing, exits 0 always',
  options: {},
  positionals: [0, 2],
  run: async () => 0
})
