/** As root, what is written keeps the owner of what it replaces, or of its folder. */
import { lstatSync } from 'node:fs'

/** `model`: absolute path of what has the owner; `chown` is called only when it has to be. */
export function preserveOwner(model: string, chown: (uid: number, gid: number) => void): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = lstatSync(model)
  if (uid !== 0 || gid !== 0) chown(uid, gid)
}
