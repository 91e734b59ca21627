/** When we run as root: a written file keeps the owner of the file it replaces, or gets that of its folder. */
import { lstatSync } from 'node:fs'

/** `model`: absolute path with the owner to keep. Calls `chown` only if needed. */
export function preserveOwner(model: string, chown: (uid: number, gid: number) => void): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = lstatSync(model)
  if (uid !== 0 || gid !== 0) chown(uid, gid)
}
