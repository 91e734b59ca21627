// The licences of everything a package ships, read from the source maps: what was really bundled, not what was meant to be.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NATIVE_PACKAGE } from './contents.mjs'

/** Names of the packages whose code is in out/, sorted. */
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

/** One text with each package's name, version, licence and its own words. Throws when a package has no licence. */
export function noticesOf(root) {
  const parts = bundledPackages(root).map((name) => {
    const folder = join(root, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const words = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice|thirdpartynotices)(\.\w+)?$/i.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    if (!license && words.length === 0) throw new Error(`${name} has no licence that could be named.`)
    return [`${name} ${version} (${license ?? 'see below'})`, ...words].join('\n\n')
  })
  return `Driftline contains the following software.\n\n${parts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`
}

function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
