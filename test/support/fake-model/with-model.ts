/**
 * `node with-model.ts REQUESTS CMD…`: runs a command beside a fake model. The model's URL replaces `{model}` in the
 * arguments and is set in the environment. Each request is appended to REQUESTS as one line. Exits with the command's
 * exit code.
 */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { startFakeModel } from './fake-model.ts'

const [requests = '', program = '', ...args] = process.argv.slice(2)
const { url, server } = await startFakeModel((body) => appendFileSync(requests, `${JSON.stringify(body)}\n`))
const child = spawn(
  program,
  args.map((arg) => arg.replaceAll('{model}', url)),
  { stdio: 'inherit', env: { ...process.env, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url } }
)
// Pass an interrupt to the agent; this process exits after it.
process.on('SIGINT', () => child.kill('SIGINT'))
child.once('exit', (code, signal) => {
  server.closeAllConnections()
  server.close()
  process.exitCode = code ?? (signal ? 128 : 1)
})
