/** Builds the three targets: main (hosts, worker, command line), preload (one CommonJS file) and renderer. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { build, type Plugin, type Rolldown } from 'vite'

/** Every program that is started by its file name; see src/main/programs.ts. */
const PROGRAMS = {
  index: 'src/main/index.ts',
  serve: 'src/main/serve.ts',
  'ingest-child': 'src/main/ingest-child.ts',
  'ingest-worker': 'src/main/ingest-worker.ts'
}

const input = Object.fromEntries(
  Object.entries(PROGRAMS)
    .map(([name, file]) => [name, resolve(file)] as const)
    .filter(([, file]) => existsSync(file))
)

/**
 * Programs agents and people wait for: one file each, because every file read at start costs, and CommonJS, which starts
 * faster and can have a code cache. What only some commands need is in files of its own.
 */
const AWAITED = [
  'hook',
  'hook-spool',
  'command',
  'cli-engine',
  'engine-worker',
  'recorder',
  'recorder-host',
  'file-helper'
]

/** The database library is part of that file, so it has to be told where its binaries are. */
const ADDON: Plugin = {
  name: 'addon-of-the-package',
  transform: (code, id) =>
    id.endsWith('/better-sqlite3/lib/binding.js')
      ? {
          code: code.replaceAll(
            '__dirname',
            // Beside the build, as in a checkout and in the app; looking it up costs 2 ms more.
            "(fs.existsSync(path.join(__dirname, '../../node_modules/better-sqlite3/lib')) ? path.join(__dirname, '../../node_modules/better-sqlite3/lib') : path.join(path.dirname(require.resolve('better-sqlite3/package.json')), 'lib'))"
          ),
          map: null
        }
      : null
}

/** Node's larger modules, which these programs load at the first call: a hook that stores nothing needs none of them. */
const LATE: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:net',
  'node:os',
  'node:readline',
  'node:readline/promises',
  'node:stream/promises',
  'node:timers/promises',
  'node:zlib'
])

/** A text of ASCII alone is read in a fifth of the time (src/main/code-cache.ts). */
const ASCII: Plugin = {
  name: 'ascii',
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(
          /[^\0-\x7f]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
        )
  }
}

const functionsOf = (name: string): string[] =>
  Object.entries(process.getBuiltinModule(name) as object).flatMap(([key, value]) =>
    typeof value === 'function' ? [key] : []
  )

const PROMISED = Symbol.for('nodejs.util.promisify.custom')

const promisedFunctionsOf = (name: string): string[] => {
  const module = process.getBuiltinModule(name) as unknown as Record<string, Record<symbol, unknown>>
  return functionsOf(name).filter((key) => PROMISED in (module[key] ?? {}))
}

const LATE_MODULES: Plugin = {
  name: 'late-modules',
  enforce: 'pre',
  resolveId: (id) => (LATE.has(id) ? `\0late:${id}` : null),
  load: (id) => {
    const name = id.startsWith('\0late:') ? id.slice(6) : null
    if (name === null) return null
    return [
      `const late = () => process.getBuiltinModule('${name}')`,
      ...functionsOf(name).map((key) => `export const ${key} = (...all) => late().${key}(...all)`),
      // promisify finds there what an ordinary call does not have: stdout beside stderr.
      ...promisedFunctionsOf(name).map(
        (key) =>
          `Object.defineProperty(${key}, Symbol.for('nodejs.util.promisify.custom'), { get: () => late().${key}[Symbol.for('nodejs.util.promisify.custom')] })`
      ),
      'export const constants = new Proxy({}, { get: (_, key) => late().constants[key] })'
    ].join('\n')
  }
}

/** Runs a command in a new data folder and leaves the code that it compiled beside the programs (src/main/code-cache.ts). */
function keepCompiledCode(): void {
  // Below the build, so that what is in it can be renamed.
  const made = mkdtempSync(resolve('out/code-'))
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-code-')))
  try {
    const args = [resolve('out/main/cli.cjs'), 'add', '--data', made, folder]
    const env = { ...process.env, DRIFTLINE_RECORDER: 'off' }
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
    if (status === 0) {
      const code = join(made, 'cache')
      for (const name of readdirSync(code)) renameSync(join(code, name), resolve('out/main', name))
    } else {
      // A computer that cannot run it can build it: then the first commands only take longer.
      console.warn(`No compiled code was kept: ${stderr}`)
    }
  } finally {
    for (const path of [made, folder]) rmSync(path, { recursive: true, force: true })
  }
}

/**
 * The modules that a program loads at its start. As a group they stay in its one file; by itself the bundler moves those that
 * are also needed by later parts to files of their own.
 */
function atStart(entry: string) {
  const modules = new Set<string>()
  const plugin: Plugin = {
    name: 'modules-at-start',
    buildEnd() {
      const add = (id: string): void => {
        if (modules.has(id)) return
        modules.add(id)
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported)
      }
      add(entry)
    }
  }
  return { plugin, contains: (id: string): boolean => modules.has(id) }
}

function buildProgram(name: string, target: string, output: Rolldown.OutputOptions): Promise<unknown> {
  const entry = resolve(`src/main/${name}.ts`)
  const start = atStart(entry)
  return build({
    configFile: false,
    logLevel: 'warn',
    plugins: [LATE_MODULES, ADDON, ASCII, start.plugin],
    build: {
      ssr: true,
      target,
      outDir: 'out/main',
      emptyOutDir: false,
      sourcemap: true,
      minify: 'oxc',
      rolldownOptions: {
        input: { [name]: entry },
        output: { codeSplitting: { groups: [{ name, test: start.contains }] }, ...output }
      }
    },
    ssr: { noExternal: true }
  })
}

const AWAITED_PROGRAMS: Plugin = {
  name: 'awaited-programs',
  closeBundle: async () => {
    for (const name of AWAITED)
      await buildProgram(name, 'node22', {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        chunkFileNames: '[name]-[hash].cjs'
      })
    // It says on an older Node what is needed, so that has to parse it.
    await buildProgram('cli', 'node16', { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false })
    keepCompiledCode()
  }
}

export default defineConfig({
  main: {
    plugins: [AWAITED_PROGRAMS],
    build: {
      sourcemap: true,
      // All but the one with a native file is bundled: a start reads a few files instead of hundreds, and a package of
      // the app holds nothing else (packaging/contents.mjs).
      externalizeDeps: {
        exclude: [
          'zod',
          'ws',
          'diff',
          'ignore',
          'chokidar',
          'jsonc-parser',
          'rotating-file-stream',
          'smol-toml',
          '@modelcontextprotocol/server'
        ]
      },
      rolldownOptions: {
        input,
        external: ['bufferutil', 'utf-8-validate'],
        // Chunks stay beside the entries: `import.meta.dirname` has to mean out/main everywhere.
        output: { chunkFileNames: '[name]-[hash].js' },
        checks: { pluginTimings: false }
      }
    }
  },
  preload: {
    build: {
      sourcemap: true,
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve('src/preload/index.ts') },
        // A sandboxed preload must be one CommonJS file.
        output: { format: 'cjs', entryFileNames: '[name].cjs' }
      }
    }
  },
  renderer: {
    plugins: [react()],
    worker: { format: 'es' },
    build: {
      sourcemap: true,
      minify: 'oxc',
      chunkSizeWarningLimit: 5000,
      // No data: fonts; the content security policy allows fonts from our own origin only.
      assetsInlineLimit: 0,
      rolldownOptions: { checks: { pluginTimings: false } }
    }
  }
})
