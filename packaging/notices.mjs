// The licences of all bundled packages. The list is derived from the source maps, so it contains what was actually bundled.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NATIVE_PACKAGE } from './contents.mjs'

/** Sorted names of the packages whose code is in out/. */
export function bundledPackages(root) {
  const names = new Set([NATIVE_PACKAGE.slice('node_modules/'.length)])
  for (const map of filesBelow(join(root, 'out')).filter((file) => file.endsWith('.map'))) {
    for (const source of JSON.parse(readFileSync(map, 'utf8')).sources) {
      const [, inside] = /.*\/node_modules\/(.+)$/.exec(source) ?? []
      if (!inside) continue
      const [first, second] = inside.split('/')
      names.add(first.startsWith('@') ? `${first}/${second}` : first)
    }
  }
  return [...names].sort()
}

/** One text with name, version, licence and licence text of each package. Throws when a package has no licence. */
export function noticesOf(root) {
  const parts = bundledPackages(root).map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice|thirdpartynotices)(\.\w+)?$/i.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    if (!license && texts.length === 0) throw new Error(`${name} has no licence information.`)
    return [`${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n')
  })
  return `Driftline contains the following software.\n\n${parts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
