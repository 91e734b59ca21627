/** Counts new messages below what is on screen: a reader is not scrolled to them. */
import { useEffect, useState } from 'react'
import { countNewerMessages, type MessageRow } from './message-rows.ts'

/** `newer`: the messages that arrived since the end of the list was last on screen. */
export function useNewMessages(
  rows: readonly MessageRow[],
  atEnd: boolean
): {
  readonly newer: number
  readonly onEndVisible: (visible: boolean) => void
} {
  const [lastRead, setLastRead] = useState<string | null>(null)
  const [endVisible, onEndVisible] = useState(false)
  const lastKey = rows.at(-1)?.key ?? null
  useEffect(() => {
    if (atEnd && (endVisible || lastRead === null)) setLastRead(lastKey)
  }, [atEnd, endVisible, lastRead, lastKey])
  return { newer: endVisible || !atEnd ? 0 : countNewerMessages(rows, lastRead), onEndVisible }
}
