/** The window of both hosts: it opens, reaches the engine, accepts a dropped folder, and runs no foreign code. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropFiles } from '../support/drop.ts'
import { type RunningHost, startHost, tempDir } from '../support/host.ts'
import { callFromPage } from '../support/raw-calls.ts'
import { inEachRealHost } from '../support/window.ts'

inEachRealHost('%s host', (name) => {
  let host: RunningHost
  let project: string

  beforeAll(async () => {
    project = join(tempDir('project'), 'drop-me')
    mkdirSync(join(project, 'src'), { recursive: true })
    writeFileSync(join(project, 'README.md'), '# Hello\n')
    host = await startHost(name)
  })
  afterAll(async () => {
    await host?.close()
    rmSync(join(project, '..'), { recursive: true, force: true })
  })

  test('opens a window with the title and reaches the engine', async () => {
    expect(await host.page.title()).toContain('Driftline')
    const info = await callFromPage(host, 'app.info', {})
    expect(info).toMatchObject({ host: name, dataDir: host.dataDir })
  })

  test('a page has no Node: neither require, nor process, nor a bridge it could change', async () => {
    const found = await host.page.evaluate(() => {
      const page = window as unknown as Record<string, unknown>
      return {
        require: typeof page.require,
        process: typeof page.process,
        module: typeof page.module,
        bridge: page.driftline === undefined ? 'none' : Object.isFrozen(page.driftline) ? 'frozen' : 'open'
      }
    })
    expect(found).toEqual({
      require: 'undefined',
      process: 'undefined',
      module: 'undefined',
      bridge: name === 'electron' ? 'frozen' : 'none'
    })
  })

  test('a script that is not one of our files does not run, nor can a page be framed or use eval', async () => {
    const ran = await host.page.evaluate(() => {
      const marked = window as unknown as { injected?: boolean }
      try {
        const script = document.createElement('script')
        script.textContent = 'window.injected = true'
        document.head.append(script)
      } catch {
        // Expected: TypeError of Trusted Types.
      }
      return marked.injected === true
    })
    expect(ran).toBe(false)
    const policy = await host.page.evaluate(async () =>
      (await fetch('/index.html')).headers.get('content-security-policy')
    )
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe-eval')
  })

  test('a dropped folder arrives with the data that identifies it', async () => {
    await host.page.evaluate(() => {
      const page = window as unknown as { dropped?: Promise<{ path: string; name: string; children: string[] }> }
      page.dropped = new Promise((resolve) => {
        addEventListener('dragover', (event) => event.preventDefault())
        addEventListener(
          'drop',
          (event) => {
            event.preventDefault()
            const bridge = (window as unknown as { driftline?: { pathForFile(file: File): string } }).driftline
            const file = event.dataTransfer?.files[0]
            const entry = event.dataTransfer?.items[0]?.webkitGetAsEntry() as FileSystemDirectoryEntry
            const path = bridge && file ? bridge.pathForFile(file) : ''
            entry.createReader().readEntries((children) => {
              resolve({ path, name: entry.name, children: children.map((child) => child.name) })
            })
          },
          { once: true, capture: true }
        )
      })
    })
    await dropFiles(host.page, [project])
    const dropped = await host.page.evaluate(() => (window as unknown as { dropped: Promise<object> }).dropped)
    expect(dropped).toEqual({
      path: name === 'electron' ? project : '',
      name: 'drop-me',
      children: expect.arrayContaining(['src', 'README.md'])
    })
    const added = await callFromPage(host, 'workspaces.add', { folder: project, wait: false })
    expect(added.workspace.root).toBe(project)
  })
})
