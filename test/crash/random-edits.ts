/** Random edits of a folder as people, programs and agents make them, from a seed. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from './random.ts'

const FILES = ['a', 'b', 'c', 'd/x', 'd/y', 'd/e/f', 'g/h/i', 'big']

/** Edits below `root`; one that does not apply to what is there is skipped. */
export function createEdits(root: string, random: Random) {
  let made = 0
  const at = (path: string): string => join(root, path)
  const kindOf = (path: string): 'file' | 'folder' | 'link' | null => {
    const stat = lstatSync(at(path), { throwIfNoEntry: false })
    return !stat ? null : stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'link'
  }
  const text = (): string =>
    random.pick([`text ${++made}\n`, `${made++}\r\nline\r\n`, `\0binary ${++made}`, '', `${++made}\n`.repeat(900)])
  const room = (path: string): boolean => {
    for (let up = dirname(path); up !== '.'; up = dirname(up)) if (![null, 'folder'].includes(kindOf(up))) return false
    mkdirSync(dirname(at(path)), { recursive: true })
    return true
  }
  const clear = (path: string): void => rmSync(at(path), { recursive: true, force: true })
  const file = (): string | null => {
    const files = FILES.filter((path) => isReachable(path) && kindOf(path) === 'file')
    return files.length > 0 ? random.pick(files) : null
  }
  /** Behind no link and no file. */
  const isReachable = (path: string): boolean => {
    for (let up = dirname(path); up !== '.'; up = dirname(up)) if (kindOf(up) !== 'folder') return false
    return true
  }
  const onFile = (change: (path: string) => void) => () => {
    const path = file()
    if (path !== null) change(path)
  }
  const anywhere = (change: (path: string) => void) => () => {
    const path = random.pick(FILES)
    if (room(path)) change(path)
  }
  const kinds: readonly (() => void)[] = [
    anywhere((path) => {
      if (kindOf(path) !== 'file') clear(path)
      writeFileSync(at(path), text())
    }),
    onFile((path) => appendFileSync(at(path), `more ${++made}\n`)),
    onFile((path) => truncateSync(at(path), 2)),
    onFile((path) => writeFileSync(at(path), '')),
    onFile((path) => rmSync(at(path))),
    onFile((path) => chmodSync(at(path), random.pick([0o600, 0o644, 0o755, 0o444]))),
    // As editors save.
    onFile((path) => {
      writeFileSync(at(`${path}.tmp`), text())
      renameSync(at(`${path}.tmp`), at(path))
    }),
    onFile((path) => {
      const to = random.pick(FILES)
      if (to === path || !room(to) || kindOf(to) === 'folder') return
      renameSync(at(path), at(to))
    }),
    onFile((path) => {
      const other = file()
      if (other === null || other === path) return
      renameSync(at(path), at('swapped'))
      renameSync(at(other), at(path))
      renameSync(at('swapped'), at(other))
    }),
    onFile((path) => {
      const to = random.pick(FILES)
      if (to === path || !room(to) || kindOf(to) !== null) return
      linkSync(at(path), at(to))
    }),
    anywhere((path) => {
      clear(path)
      symlinkSync(random.pick(['a', '../out', 'nowhere', 'd']), at(path))
    }),
    anywhere((path) => {
      clear(path)
      mkdirSync(at(path))
      writeFileSync(join(at(path), 'inside'), text())
    }),
    () => mkdirSync(at(`empty-${random.below(3)}`), { recursive: true }),
    () => clear(random.pick(['d', 'g', 'r', 'empty-0'])),
    () => {
      const to = random.pick(['moved', 'r'])
      if (kindOf('d') === 'folder' && kindOf(to) === null) renameSync(at('d'), at(to))
    },
    () => {
      if (kindOf('moved') === 'folder' && kindOf('d') === null) renameSync(at('moved'), at('d'))
    },
    () => {
      for (let n = 0; n < 40; n++) {
        mkdirSync(at('many'), { recursive: true })
        writeFileSync(at(`many/f${n}`), `${++made}\n`)
      }
    },
    // Large contents are stored in parts.
    () => {
      if (kindOf('big') === 'file')
        writeFileSync(at('big'), `${'line\n'.repeat(200_000)}${++made}\n${'line\n'.repeat(200_000)}`)
    },
    onFile((path) => {
      const copy = readFileSync(at(path))
      const to = random.pick(FILES)
      if (to !== path && room(to) && kindOf(to) !== 'folder') writeFileSync(at(to), copy)
    }),
    () => {
      if (kindOf('c') === 'file' && !readdirSync(root).includes('C')) renameSync(at('c'), at('C'))
    }
  ]
  return {
    paths: FILES,
    text,
    /** Whether a file can be written there: makes its folder. */
    makeRoom: (path: string): boolean => room(path) && [null, 'file'].includes(kindOf(path)),
    /** The bytes of a file, null if there is none. */
    read: (path: string): Buffer | null =>
      isReachable(path) && existsSync(at(path)) && kindOf(path) === 'file' ? readFileSync(at(path)) : null,
    make: (count: number): void => {
      for (let n = 0; n < count; n++) random.pick(kinds)()
    }
  }
}
