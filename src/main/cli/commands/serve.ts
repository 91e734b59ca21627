/** `driftline serve`: the headless host in this process. */
import { DriftlineError } from '../../../contract/errors.ts'
import { command } from '../command.ts'

export const serve = command({
  name: 'serve',
  usage: ['[--port N] [--no-open] [--stay]'],
  summary: 'serve the app to a browser on this computer; prints one line with the URL',
  options: {
    port: { type: 'string', value: 'N', help: 'listen on this port (default: a free one)' },
    'no-open': { type: 'boolean', help: 'do not open a browser' },
    stay: { type: 'boolean', help: 'keep running after the last browser disconnects' }
  },
  positionals: [0, 0],
  run: async (context, { values }) => {
    if (values.port !== undefined && !(/^\d{1,5}$/.test(values.port) && Number(values.port) <= 65_535)) {
      throw new DriftlineError('Usage', `--port takes a number up to 65535, not "${values.port}".`)
    }
    const { runServer } = await import('../../server/run-server.ts')
    return runServer([
      ...(context.output.json ? ['--json'] : []),
      ...(values.port === undefined ? [] : [`--port=${values.port}`]),
      ...(values['no-open'] === true ? ['--no-open'] : []),
      ...(values.stay === true ? ['--stay'] : []),
      ...(context.folderGiven ? [`--folder=${context.folder()}`] : []),
      `--data=${context.dataDir}`
    ])
  }
})
