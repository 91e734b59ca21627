/** What `git apply -R` makes of a patch, by any git: some lose what a deleted file was. */
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { tempFolder } from './tmp.ts'

const DELETION = `diff --git a/program b/program
deleted file mode 100755
--- a/program
+++ /dev/null
@@ -1 +0,0 @@
-x
`

let keepsModes: boolean | null = null

/** Git 2.47 makes a plain file of every file that a patch deleted, a program or a link too, also with a patch of its own. */
function revertKeepsModes(): boolean {
  if (keepsModes !== null) return keepsModes
  using temp = tempFolder()
  execFileSync('git', ['init', '-q'], { cwd: temp.path })
  execFileSync('git', ['apply', '-R'], { cwd: temp.path, input: DELETION })
  keepsModes = (statSync(`${temp.path}/program`).mode & 0o100) !== 0
  return keepsModes
}

type Tree = Readonly<Record<string, string>>

const kindOf = (what: string | undefined): string | undefined => what?.split(' ', 1)[0]

/**
 * `tree`, which was or should be reverted from `after`, as far as the git of this computer reverts it. Where it loses modes,
 * a path whose file `after` does not have is only known to be there.
 */
export function asReverted(tree: Tree, before: Tree, after: Tree): Tree {
  if (revertKeepsModes()) return tree
  const entries = Object.entries(tree)
  return Object.fromEntries(
    entries.map(([path, what]) => [path, kindOf(before[path]) === kindOf(after[path]) ? what : 'made again'])
  )
}
