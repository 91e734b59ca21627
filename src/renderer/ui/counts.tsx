/** Lines added and removed, with their signs. */
import { formatNumber } from '../../contract/words/numbers.ts'

export function Counts({ added, deleted }: { readonly added: number; readonly deleted: number }) {
  return (
    <>
      {added > 0 || deleted === 0 ? <span className="plus">+{formatNumber(added)}</span> : null}
      {added > 0 && deleted > 0 ? ' ' : null}
      {deleted > 0 ? <span className="minus">−{formatNumber(deleted)}</span> : null}
    </>
  )
}
