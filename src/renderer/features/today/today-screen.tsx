/** All hosts, today: one timeline of the folders of this computer and of all hosts, and a search in all of them. */
import { type ReactNode, useState } from 'react'
import { hostOf } from '../../../contract/hosts.ts'
import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { clockText, hostAwayReason, offsetText } from '../../../contract/words/hosts.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { listAll, withFullStop } from '../../../contract/words/text.ts'
import { entryAuthor, entryTitle } from '../../../contract/words/timeline.ts'
import { clock, clockInText } from '../../../contract/words/times.ts'
import { NO_ADDRESS, showAddress } from '../../client/address.ts'
import { type Places, usePlaces } from '../../client/places.ts'
import { AppButtons } from '../../commands/app-buttons.tsx'
import { AgentTile } from '../../ui/agent.tsx'
import { Blank } from '../../ui/blank.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon, Mark } from '../../ui/icon.tsx'
import { useToday } from '../../ui/use-now.ts'
import { usePaused } from '../../ui/use-paused.ts'
import { AppStatusBar } from '../status/status-bar.tsx'
import { MIN_LENGTH, type Placed, useHits, useTodayEntries } from './use-today-entries.ts'

interface TodayScreenProps {
  /** Shows a folder; the address names the entry. */
  readonly onOpen: (workspace: string) => void
  readonly onHome: () => void
}

const SEARCH_PAUSE_MS = 180

export function TodayScreen({ onOpen, onHome }: TodayScreenProps) {
  const places = usePlaces()
  const [typed, setTyped] = useState('')
  const text = usePaused(typed.trim(), SEARCH_PAUSE_MS)
  const show = (workspace: string, entry: string | null) => {
    showAddress({ ...NO_ADDRESS, open: workspace, entry: entry ?? '' })
    onOpen(workspace)
  }
  return (
    <div className="app today">
      <header className="head">
        <Mark />
        <Button kind="ghost" icon="left" onClick={onHome}>
          All folders
        </Button>
        <h1 className="today-title">All hosts, today</h1>
        <span className="grow" />
        <AppButtons />
      </header>
      <main className="work solo today-main">
        <div className="today-in">
          <span className="field today-search">
            <Icon name="search" size="s" />
            <input
              aria-label="Search all folders of all hosts"
              placeholder="Search all folders of all hosts"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Escape' || typed === '') return
                setTyped('')
                event.preventDefault()
              }}
            />
          </span>
          <Clocks places={places} />
          {text.length >= MIN_LENGTH ? (
            <Hits places={places} text={text} onShow={show} />
          ) : (
            <Entries places={places} onShow={show} />
          )}
        </div>
      </main>
      <AppStatusBar />
    </div>
  )
}

/** Whose clock the times are of, and which hosts cannot be asked. */
function Clocks({ places: { hosts } }: { readonly places: Places }) {
  const now = useToday()
  const offset = -new Date(now).getTimezoneOffset()
  const differing = hosts.flatMap(({ name, clock: there }) => {
    const text = clockText(there, offset)
    return text === '' ? [] : [`${name}: ${text}`]
  })
  const away = hosts.filter(({ phase }) => phase !== 'connected')
  return (
    <div className="small muted today-clocks">
      <p>
        Times are in this computer’s time zone, {offsetText(offset)}
        {differing.length > 0 ? ` (${differing.join('; ')})` : ''}.
      </p>
      {away.map((place) => (
        <p key={place.name} className="c-warn">
          {withFullStop(hostAwayReason(place))}
          {place.lastSeenAt > 0
            ? ` You see what was last loaded, at ${clockInText(place.lastSeenAt, Date.now())}.`
            : ''}
        </p>
      ))}
    </div>
  )
}

interface ListProps {
  readonly places: Places
  readonly onShow: (workspace: string, entry: string | null) => void
}

function Entries({ places, onShow }: ListProps) {
  const { entries, isLoaded, failed } = useTodayEntries(places, useToday())
  if (entries.length === 0)
    return isLoaded && places.isLoaded ? (
      <Blank icon="clock" title="Nothing was recorded today">
        <p>Runs, restores and outside changes of all folders of all hosts are listed here.</p>
      </Blank>
    ) : (
      <div aria-busy="true" />
    )
  return (
    <>
      <ul className="today-list" aria-label="Entries of today">
        {entries.map(({ item, workspace, at }) => (
          <Line
            key={`${workspace.id} ${item.id}`}
            at={at}
            where={whereText(workspace)}
            icon={<EntryIcon entry={item} />}
            title={entryTitle(item)}
            detail={entryAuthor(item)}
            isLive={item.kind === 'run' && item.state === 'live'}
            onShow={() => onShow(workspace.id, item.id)}
          />
        ))}
      </ul>
      {failed.length > 0 ? <p className="small c-warn">Couldn’t load {listAll(failed.map(whereText))}.</p> : null}
    </>
  )
}

const HIT_ICONS = { prompt: 'person', note: 'pencil', message: 'chat', path: 'file', change: 'inline' } as const

function Hits({ places, text, onShow }: ListProps & { readonly text: string }) {
  const { hits, isLoaded, away } = useHits(places, text)
  const note = away.length > 0 ? `Not searched: ${listAll(away)}.` : ''
  return (
    <>
      <p className="small muted" role="status">
        {isLoaded ? plural(hits.length, 'result') : 'Searching…'} {note}
      </p>
      <ul className="today-list" aria-label="Results">
        {hits.map(({ item, workspace, at }, i) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a hit has no identity of its own.
            key={`${workspace.id} ${item.kind} ${i}`}
            at={at}
            where={whereText(workspace)}
            icon={<Icon name={HIT_ICONS[item.kind]} />}
            title={item.text}
            detail={hitDetail(item)}
            isLive={false}
            onShow={() => onShow(workspace.id, item.run)}
          />
        ))}
      </ul>
    </>
  )
}

function hitDetail({ kind, path }: SearchHit): string {
  return kind === 'change' && path !== null ? path : ''
}

interface LineProps {
  readonly at: number | null
  readonly where: string
  readonly icon: ReactNode
  readonly title: string
  readonly detail: string
  readonly isLive: boolean
  readonly onShow: () => void
}

function Line({ at, where, icon, title, detail, isLive, onShow }: LineProps) {
  return (
    <li>
      <button type="button" className="today-line" onClick={onShow}>
        <span className="num muted small">{at === null ? '' : clock(at)}</span>
        <span className="today-icon">{icon}</span>
        <span className="today-what ell">{title}</span>
        {isLive ? (
          <span className="badge" data-tone="live">
            live
          </span>
        ) : null}
        <span className="small muted ell today-detail">{detail}</span>
        <span className="small muted ell today-where">{where}</span>
      </button>
    </li>
  )
}

const ENTRY_ICONS = { checkpoint: 'pin', restore: 'restore', drift: 'drift' } as const

function EntryIcon({ entry }: { readonly entry: TimelineEntry }) {
  if (entry.kind === 'run') return <AgentTile agent={entry.agent} live={entry.state === 'live'} size="xs" />
  return <Icon name={ENTRY_ICONS[entry.kind]} />
}

/** The host and the folder. */
function whereText({ id, name }: Placed<unknown>['workspace']): string {
  const host = hostOf(id)
  return host === null ? name : `${host} · ${name}`
}
