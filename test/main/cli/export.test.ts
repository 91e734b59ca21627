/** Exports to standard output, which `-` names in each option that takes a file. */
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createCliProject } from './cli-project.ts'

test('[UI-2] an export named - goes to standard output alone, and no file of that name is written', async () => {
  const project = createCliProject()
  try {
    project.write('a.txt', 'one\n')
    await project.add()
    const run = await project.run('edit', () => project.write('a.txt', 'two\n'))
    const entries = () => [readdirSync(project.root), readdirSync(dirname(project.root))]
    const before = entries()
    const exported = async (...options: string[]) => {
      const { code, out, err } = await project.call(['export', run, ...options])
      return { code, out: out.toString(), err }
    }
    expect(await exported('-o', '-')).toMatchObject({ code: 0, out: expect.stringMatching(/^# .*\+two\n/s), err: '' })
    expect(await exported('--html', '-')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^<!doc.*<\/html>\n$/s)
    })
    const { code, doc } = await project.json(['export', run, '-o', '-'])
    expect([code, Object.keys(doc)]).toEqual([0, ['title', 'patch', 'report']])
    const bundle = await project.call(['export', run, '--bundle', '-'])
    expect(bundle).toMatchObject({ code: 0, err: expect.stringContaining('1 file') })
    expect(gunzipSync(bundle.out).toString()).toMatch(/^{"driftline":"bundle"/)

    const refused = [
      ['--html', '-', '-o', 'x.md'],
      ['--html', '-', '--json'],
      ['--bundle', '-', '--json'],
      ['--html', 'x.html', '--with-secrets'],
      ['--html', 'x.html', '--dry-run'],
      ['--format', 'trailers', '--html', 'x.html'],
      ['--bundle', 'x.bundle', '-o', 'x.md'],
      ['--secrets', '-o', 'x.md'],
      ['--all', '-o', 'x'],
      ['--commit', 'HEAD']
    ]
    for (const options of refused) expect(await exported(...options)).toMatchObject({ code: 2 })
    expect((await project.callOnTerminal(['export', run, '--bundle', '-'])).err).toContain('A bundle is not text.')
    expect((await project.call(['export', '--all', '-o', '-'])).err).toContain('The whole history is a folder')
    expect((await exported('--format', 'trailers', '-o', 'x')).err).toContain('redirect standard output')
    expect(entries()).toEqual(before)
  } finally {
    project.remove()
  }
})
