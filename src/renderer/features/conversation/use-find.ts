/** Finds text in a conversation: the engine searches all of it, and the pane goes to one match after the other. */
import { useEffect, useRef, useState } from 'react'
import { useQuery } from '../../client/use-query.ts'
import type { FindState } from '../../ui/find-field.tsx'

/** A search starts when nothing was typed for this long, ms. */
const TYPING_MS = 150
const NO_SEQS: readonly number[] = []

export type Finding = ReturnType<typeof useFind>

/** `from`: seq of the message to search from. `onMatch` is called with each match that becomes the current one. */
export function useFind(workspace: string, session: string, from: number, onMatch: (seq: number) => void) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [searched, setSearched] = useState('')
  const [index, setIndex] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSearched(text), text === '' ? 0 : TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const params = open && searched !== '' ? { workspace, session, text: searched } : null
  const { data } = useQuery('sessions.find', params)
  const seqs = params ? (data?.seqs ?? NO_SEQS) : NO_SEQS
  const latest = useRef({ from, onMatch })
  latest.current = { from, onMatch }
  useEffect(() => {
    const next = seqs.findIndex((seq) => seq >= latest.current.from)
    setIndex(seqs.length === 0 ? null : next < 0 ? seqs.length - 1 : next)
  }, [seqs])
  const match = index === null ? null : (seqs[index] ?? null)
  useEffect(() => {
    if (match !== null) latest.current.onMatch(match)
  }, [match])
  const find: FindState = {
    text,
    matches: seqs.length,
    matchIndex: index,
    setText,
    step: (by) => setIndex((at) => (seqs.length === 0 ? null : ((at ?? -by) + by + seqs.length) % seqs.length))
  }
  return {
    find,
    /** Seq of the current match. */
    match,
    open,
    setOpen: (to: boolean) => {
      setOpen(to)
      if (!to) setText('')
    }
  }
}
