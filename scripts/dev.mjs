// `npm run dev`: pages with hot reload, and the engine rebuilt and restarted at each change, in the browser.
// `-- --electron` runs electron-vite's own development mode instead, where Electron's binary is installed.
import { spawn } from 'node:child_process'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { ensureFitNode, root } from './node-choice.mjs'

ensureFitNode(import.meta.filename ?? process.argv[1])
process.chdir(root)

if (process.argv.includes('--electron')) {
  const cli = join('node_modules', 'electron-vite/bin/electron-vite.js')
  const child = spawn(process.execPath, [cli, 'dev', '--watch'], { stdio: 'inherit' })
  child.on('exit', (code) => process.exit(code ?? 1))
} else {
  await developInBrowser()
}

async function developInBrowser() {
  const { resolveConfig } = await import('electron-vite')
  const { build, createServer, mergeConfig } = await import('vite')
  const { config } = await resolveConfig({ root }, 'build', 'development')

  // All hosts of this session use one port, so that the proxy's target stays valid.
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  /** The running host and its token. */
  let host = { child: null, token: '' }
  const stopHost = () =>
    new Promise((resolve) => {
      if (!host.child || host.child.exitCode !== null) return resolve()
      host.child.once('exit', resolve)
      host.child.kill('SIGTERM')
    })
  const startHost = async () => {
    await stopHost()
    const args = [join(root, 'out/main/serve.js'), '--no-open', '--stay', '--json', '--port', String(port)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const line = await new Promise((resolve, reject) => {
      child.stdout.once('data', (data) => resolve(String(data).split('\n')[0]))
      child.once('exit', (code) =>
        reject(new Error(`The host ended (exit code ${code}). It is started again after the next change.`))
      )
    })
    const fragment = new URL(JSON.parse(line).url).hash.slice(1)
    host = { child, token: new URLSearchParams(fragment).get('token') ?? '' }
  }

  // The engine. A host can start only after the first build.
  const watcher = await build(mergeConfig(config.main, { configFile: false, logLevel: 'error', build: { watch: {} } }))
  let starting = Promise.resolve()
  let failed = false
  await new Promise((resolve) => {
    watcher.on('event', ({ code, error }) => {
      if (code === 'START') failed = false
      if (error) {
        failed = true
        console.error(`The engine was not rebuilt; the former one keeps running.\n${shorten(error.message)}`)
      }
      if (code !== 'END' || failed) return
      starting = starting.then(startHost).then(
        () => {
          console.log('The engine was rebuilt and restarted.')
          resolve()
        },
        (reason) => console.error(reason.message)
      )
    })
  })

  // The pages. The proxy adds the token of the running host, so an open page survives a restart of the host.
  const pages = await createServer(
    mergeConfig(config.renderer, {
      configFile: false,
      server: {
        host: '127.0.0.1',
        proxy: {
          '/ws': {
            target: origin,
            ws: true,
            changeOrigin: true,
            configure: (proxy) =>
              proxy.on('proxyReqWs', (request) => {
                request.setHeader('host', `127.0.0.1:${port}`)
                request.setHeader('origin', origin)
                request.setHeader('sec-websocket-protocol', `driftline.v1, token.${host.token}`)
              })
          }
        }
      }
    })
  )
  await pages.listen()
  pages.printUrls()
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      stopHost().then(() => process.exit(0))
    })
}

/** The first lines of a build error: the file, the place and the reason. */
function shorten(message) {
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  return [...lines.slice(0, 12), ...(lines.length > 12 ? ['…'] : [])].join('\n')
}

/** A free port. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createTcpServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
