/** Lines added and removed, with their signs. */
import { count } from '../../ui/format.ts'

export function Counts({ added, deleted }: { readonly added: number; readonly deleted: number }) {
  return (
    <>
      {added > 0 || deleted === 0 ? <span className="plus">+{count(added)}</span> : null}
      {added > 0 && deleted > 0 ? ' ' : null}
      {deleted > 0 ? <span className="minus">−{count(deleted)}</span> : null}
    </>
  )
}
