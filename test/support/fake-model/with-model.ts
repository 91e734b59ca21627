/**
 * `node with-model.ts REQUESTS CMD…`: runs a command beside a fake model, whose address stands in its environment and, as
 * `{model}`, in its words. Every request the model gets is one line of REQUESTS. Ends with the command's exit code.
 */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { startFakeModel } from './fake-model.ts'

const [requests = '', program = '', ...words] = process.argv.slice(2)
const { url, server } = await startFakeModel((body) => appendFileSync(requests, `${JSON.stringify(body)}\n`))
const child = spawn(
  program,
  words.map((word) => word.replaceAll('{model}', url)),
  { stdio: 'inherit', env: { ...process.env, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url } }
)
// An interrupt is for the agent; it ends, and then this does.
process.on('SIGINT', () => child.kill('SIGINT'))
child.once('exit', (code, signal) => {
  server.closeAllConnections()
  server.close()
  process.exitCode = code ?? (signal ? 128 : 1)
})
