// `npm start`: the app in Electron if it is available, else in the browser. Never hangs without a network.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfNeeded } from './build-if-needed.mjs'
import { electronBinary, fetchElectron } from './electron-binary.mjs'
import { ensureFitNode, root } from './node-choice.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])

const HOSTS = ['--serve', '--electron']
const argv = process.argv.slice(2)
const requested = HOSTS.find((host) => argv.includes(host))
const args = argv.filter((argument) => !HOSTS.includes(argument))

const code = buildIfNeeded()
if (code !== 0) process.exit(code)

/** Options of the headless host only; they imply --serve. */
const SERVE_ONLY = ['--no-open', '--stay', '--json', '--port', '--help', '-h']
const asksForServer = args.some((argument) => SERVE_ONLY.includes(argument.split('=')[0]))
const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY

const asRoot = process.platform === 'linux' && process.getuid?.() === 0

let binary
let why = ''
if (requested === '--serve' || (asksForServer && requested !== '--electron')) {
  // Requested, so nothing to explain.
} else if (!hasDisplay && requested !== '--electron') {
  why = 'There is no display, so Driftline runs in the browser.'
} else if (asRoot && requested !== '--electron') {
  why = "Electron's sandbox does not run as root, so Driftline runs in the browser."
} else {
  if (!electronBinary()) await fetchElectron()
  binary = electronBinary()
  if (!binary)
    why = "Electron's binary is not installed and cannot be downloaded now, so Driftline runs in the browser."
}
if (!binary && requested === '--electron') {
  console.error(
    "Electron's binary is not installed and cannot be downloaded now. Without --electron, Driftline runs in the browser."
  )
  process.exit(1)
}
if (why) console.error(why)

let child
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))

function run(program, programArgs, ended) {
  child = spawn(program, programArgs, { stdio: 'inherit' })
  child.on('error', (error) => {
    console.error(`Couldn’t start Driftline: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (status, signal) => ended(status ?? (signal ? 1 : 0)))
}

const serve = () => run(process.execPath, [join(root, 'out/main/serve.js'), ...args], (status) => process.exit(status))

/** Exit code of the dynamic loader when a shared library is missing. */
const CANNOT_LOAD = 127

if (!binary) {
  serve()
} else {
  run(binary, [...(asRoot ? ['--no-sandbox'] : []), root, ...args], (status) => {
    if (status !== CANNOT_LOAD || requested === '--electron') process.exit(status)
    console.error('Electron cannot run here (a system library is missing), so Driftline runs in the browser.')
    serve()
  })
}
