/** After a restore that did not end well: every file that is not as it should be, with the reason. */
import type { RestoreResult } from '../../../contract/restore.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { count, splitPath } from '../files/file-words.ts'

const RESULT_WORDS = { failed: 'not restored', skipped: 'not tried', kept: 'left as it is', done: 'restored' } as const

export function RestoreOutcome({ result }: { readonly result: RestoreResult }) {
  const order = ['failed', 'skipped', 'done', 'kept'] as const
  const items = [...result.items].sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  const failed = items.filter((item) => item.result === 'failed').length
  return (
    <div className="routcome">
      <div className="rsec">
        <b>{failed > 0 ? `${count(failed, 'file')} not restored` : 'Every file, and what became of it'}</b>
      </div>
      <VirtualList
        label="What became of every file"
        className="rlist"
        items={items}
        keyOf={(item) => item.path}
        heightOf={() => 42}
        renderRow={(item) => {
          const { folder, name } = splitPath(item.path)
          const bad = item.result === 'failed'
          return (
            <li className="fr rp two">
              <span className="name">
                <span className="ell rpath">
                  <span className="muted">{folder}</span>
                  {name}
                </span>
                <span className={bad ? 'cap c-danger ell' : 'cap muted ell'}>
                  {item.reason || item.note || RESULT_WORDS[item.result]}
                </span>
              </span>
              <span className="note">{RESULT_WORDS[item.result]}</span>
            </li>
          )
        }}
      />
    </div>
  )
}
