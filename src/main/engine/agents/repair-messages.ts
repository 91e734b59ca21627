/** Reads damaged texts of messages again from the agent's own files, which usually still have them. */
import { damagedMessages } from '../store/damaged-texts.ts'
import { replaceTexts } from '../store/message-text.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { findSession } from '../store/sessions.ts'
import { transact } from '../store/sql.ts'
import type { SessionContext } from './agent-workspace.ts'
import { parseRecord } from './payload.ts'
import { readSessionFiles } from './session-file.ts'
import { MESSAGE_READERS } from './transcript-records.ts'

/** Returns how many messages can be read again. Those that only a hook event reported have no id to find them by. */
export function repairMessages(context: SessionContext, id: string): number {
  return transact<Store, number>(context.store, (tx) => {
    const session = findSession(tx, id)
    const reader = session && MESSAGE_READERS[session.agent]
    if (!reader) return 0
    const damaged = damagedMessages(tx, id)
    const texts = new Map<number, string>()
    for (const { lines } of readSessionFiles(context, session))
      for (const line of lines)
        for (const { source, text } of reader(parseRecord(line))) {
          const message = damaged.get(source)
          // The agent may have changed its file: only a text of the same size is taken for the same.
          if (message && Buffer.byteLength(text.trim()) === message.size) texts.set(message.seq, text.trim())
        }
    if (texts.size === 0) return 0
    replaceTexts(tx, session.n, texts)
    bumpRev(tx)
    return texts.size
  })
}
