/** Every icon of the product as one inline sprite (16 px grid, 1.5 stroke): no icon is an external request. */

/** Names of the icons; each has a symbol `i-<name>` below. */
export type IconName =
  | 'search'
  | 'undo'
  | 'redo'
  | 'sliders'
  | 'help'
  | 'down'
  | 'right'
  | 'left'
  | 'up'
  | 'aup'
  | 'adown'
  | 'aright'
  | 'folder'
  | 'file'
  | 'fileplus'
  | 'branch'
  | 'check'
  | 'okc'
  | 'x'
  | 'plus'
  | 'minus'
  | 'more'
  | 'warn'
  | 'info'
  | 'stop'
  | 'pin'
  | 'clock'
  | 'restore'
  | 'history'
  | 'drift'
  | 'terminal'
  | 'pencil'
  | 'eye'
  | 'link'
  | 'image'
  | 'copy'
  | 'external'
  | 'shield'
  | 'plug'
  | 'db'
  | 'keyboard'
  | 'appearance'
  | 'lock'
  | 'record'
  | 'chat'
  | 'list'
  | 'tree'
  | 'splitv'
  | 'inline'
  | 'ws'
  | 'filter'
  | 'sidebar'
  | 'follow'
  | 'merge'
  | 'swap'
  | 'sun'
  | 'moon'
  | 'trash'
  | 'none'
  | 'inferred'
  | 'shared'
  | 'hex'
  | 'unfold'
  | 'off'
  | 'download'
  | 'todo'
  | 'person'
  | 'half'
  | 'box'
  | 'enter'
  | 'scope'

/** All symbols; mounted once, before the first icon. */
export function IconSprite() {
  return (
    <svg className="sprite" aria-hidden="true">
      <symbol id="mark" viewBox="0 0 16 16">
        <g fill="none" strokeWidth="2" strokeLinecap="round">
          <path d="M4 6.25v3.5" stroke="var(--accent)" />
          <path d="M4 1.5C4 5.2 13.5 3 13.5 8S4 10.8 4 14.5" stroke="currentColor" />
        </g>
      </symbol>
      <symbol id="i-search" viewBox="0 0 16 16">
        <circle cx="7" cy="7" r="4.25" />
        <path d="M10.25 10.25 13.5 13.5" />
      </symbol>
      <symbol id="i-undo" viewBox="0 0 16 16">
        <path d="M3 6.5h6.25a3.75 3.75 0 0 1 0 7.5H6.5" />
        <path d="M6 3.5 3 6.5l3 3" />
      </symbol>
      <symbol id="i-redo" viewBox="0 0 16 16">
        <path d="M13 6.5H6.75a3.75 3.75 0 0 0 0 7.5H9.5" />
        <path d="m10 3.5 3 3-3 3" />
      </symbol>
      <symbol id="i-sliders" viewBox="0 0 16 16">
        <path d="M2.5 5h6M12.25 5h1.25M2.5 11h1.25M7.5 11h6" />
        <circle cx="10.4" cy="5" r="1.85" />
        <circle cx="5.6" cy="11" r="1.85" />
      </symbol>
      <symbol id="i-help" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.75" />
        <path d="M6.3 6.4a1.75 1.75 0 1 1 2.5 1.58c-.55.27-.8.62-.8 1.27" />
        <circle className="f" cx="8" cy="11.25" r=".85" />
      </symbol>
      <symbol id="i-down" viewBox="0 0 16 16">
        <path d="m4.25 6.25 3.75 3.75 3.75-3.75" />
      </symbol>
      <symbol id="i-right" viewBox="0 0 16 16">
        <path d="m6.25 4.25 3.75 3.75-3.75 3.75" />
      </symbol>
      <symbol id="i-left" viewBox="0 0 16 16">
        <path d="M9.75 4.25 6 8l3.75 3.75" />
      </symbol>
      <symbol id="i-up" viewBox="0 0 16 16">
        <path d="M4.25 9.75 8 6l3.75 3.75" />
      </symbol>
      <symbol id="i-aup" viewBox="0 0 16 16">
        <path d="M8 13V3.25M4.25 7 8 3.25 11.75 7" />
      </symbol>
      <symbol id="i-adown" viewBox="0 0 16 16">
        <path d="M8 3v9.75M4.25 9 8 12.75 11.75 9" />
      </symbol>
      <symbol id="i-aright" viewBox="0 0 16 16">
        <path d="M3 8h9.75M9 4.25 12.75 8 9 11.75" />
      </symbol>
      <symbol id="i-folder" viewBox="0 0 16 16">
        <path d="M2 4.5c0-.7.55-1.25 1.25-1.25h2.6c.36 0 .7.150.93.42l1 1.13h4.97c.7 0 1.250.55 1.25 1.25v5.45c0 .7-.55 1.25-1.25 1.25h-9.5c-.7 0-1.25-.55-1.25-1.25z" />
      </symbol>
      <symbol id="i-file" viewBox="0 0 16 16">
        <path d="M4 2.75c0-.41.34-.75.75-.75h4.25L12 5v8.25c0 .41-.34.75-.75.75h-6.5a.750.75 0 0 1-.75-.75z" />
        <path d="M8.75 2v3.25H12" />
      </symbol>
      <symbol id="i-fileplus" viewBox="0 0 16 16">
        <path d="M12 8V5L9 2H4.75a.750.75 0 0 0-.75.75v10.5c0 .41.340.750.750.75H7.5" />
        <path d="M8.75 2v3.25H12M11.5 10.25v4M9.5 12.25h4" />
      </symbol>
      <symbol id="i-branch" viewBox="0 0 16 16">
        <circle cx="4.5" cy="3.75" r="1.5" />
        <circle cx="4.5" cy="12.25" r="1.5" />
        <circle cx="11.5" cy="5.25" r="1.5" />
        <path d="M4.5 5.25v5.5M11.5 6.75c0 2.3-1.9 2.75-3.8 2.75-1.7 0-3.200.3-3.2 1.25" />
      </symbol>
      <symbol id="i-check" viewBox="0 0 16 16">
        <path d="m3.25 8.5 3.25 3.25 6.25-7" />
      </symbol>
      <symbol id="i-okc" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.75" />
        <path d="m5.5 8.25 1.75 1.75 3.25-3.75" />
      </symbol>
      <symbol id="i-x" viewBox="0 0 16 16">
        <path d="m4.25 4.25 7.5 7.5M11.75 4.25l-7.5 7.5" />
      </symbol>
      <symbol id="i-plus" viewBox="0 0 16 16">
        <path d="M8 3.5v9M3.5 8h9" />
      </symbol>
      <symbol id="i-minus" viewBox="0 0 16 16">
        <path d="M3.5 8h9" />
      </symbol>
      <symbol id="i-more" viewBox="0 0 16 16">
        <circle className="f" cx="3.5" cy="8" r="1.25" />
        <circle className="f" cx="8" cy="8" r="1.25" />
        <circle className="f" cx="12.5" cy="8" r="1.25" />
      </symbol>
      <symbol id="i-warn" viewBox="0 0 16 16">
        <path d="M7.13 2.98a1 1 0 0 1 1.74 0l4.9 8.53a1 1 0 0 1-.87 1.49H3.1a1 1 0 0 1-.87-1.49z" />
        <path d="M8 6.25v2.75" />
        <circle className="f" cx="8" cy="11" r=".85" />
      </symbol>
      <symbol id="i-info" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.75" />
        <path d="M8 7.5v3.25" />
        <circle className="f" cx="8" cy="5.25" r=".85" />
      </symbol>
      <symbol id="i-stop" viewBox="0 0 16 16">
        <path d="M5.6 2.25h4.8l3.35 3.35v4.8l-3.35 3.35H5.6L2.25 10.4V5.6z" />
        <path d="M8 5.25v3.25" />
        <circle className="f" cx="8" cy="10.75" r=".85" />
      </symbol>
      <symbol id="i-pin" viewBox="0 0 16 16">
        <path d="m9.5 2.5 4 4-2.500.9-2.3 2.3-.3 2.8-4.9-4.9 2.8-.3L8.6 5z" />
        <path d="m5.95 10.05-3.2 3.2" />
      </symbol>
      <symbol id="i-clock" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.75" />
        <path d="M8 4.75V8l2.25 1.5" />
      </symbol>
      <symbol id="i-restore" viewBox="0 0 16 16">
        <path d="M3.25 5.75A5.25 5.25 0 1 1 2.75 8" />
        <path d="M2.75 2.5v3.25H6" />
      </symbol>
      <symbol id="i-history" viewBox="0 0 16 16">
        <path d="M3.25 5.75A5.25 5.25 0 1 1 2.75 8" />
        <path d="M2.75 2.5v3.25H6M8 5.25V8l2 1.25" />
      </symbol>
      <symbol id="i-drift" viewBox="0 0 16 16">
        <path d="M4.5 1.75C4.5 5 12.25 3.4 12.25 8S4.5 11 4.5 14.25" />
        <path d="M4.5 6.75v2.5" />
      </symbol>
      <symbol id="i-terminal" viewBox="0 0 16 16">
        <path d="m3 4.5 3.25 3.25L3 11M8 11.75h5" />
      </symbol>
      <symbol id="i-pencil" viewBox="0 0 16 16">
        <path d="m10.75 2.75 2.5 2.5L5.9 12.6l-3.150.650.65-3.15z" />
        <path d="m9 4.5 2.5 2.5" />
      </symbol>
      <symbol id="i-eye" viewBox="0 0 16 16">
        <path d="M1.75 8S4 3.75 8 3.75 14.25 8 14.25 8 12 12.25 8 12.25 1.75 8 1.75 8z" />
        <circle cx="8" cy="8" r="1.9" />
      </symbol>
      <symbol id="i-link" viewBox="0 0 16 16">
        <path d="m6.5 9.5 3-3M7.25 4.5l1.3-1.3a2.62 2.62 0 0 1 3.7 3.7L10.95 8.2M8.75 11.5l-1.3 1.3a2.62 2.62 0 0 1-3.7-3.7L5.05 7.8" />
      </symbol>
      <symbol id="i-image" viewBox="0 0 16 16">
        <rect x="2.25" y="3" width="11.5" height="10" rx="1.5" />
        <circle cx="5.6" cy="6.25" r="1.1" />
        <path d="m2.5 11.5 3-2.75 2 1.75 2.75-3 3.25 3.25" />
      </symbol>
      <symbol id="i-copy" viewBox="0 0 16 16">
        <rect x="5.5" y="5.5" width="8" height="8" rx="1.25" />
        <path d="M10.5 5.5v-1.75c0-.7-.55-1.25-1.25-1.25h-5.5c-.7 0-1.250.55-1.25 1.25v5.5c0 .7.55 1.25 1.25 1.25H5.5" />
      </symbol>
      <symbol id="i-external" viewBox="0 0 16 16">
        <path d="M7 3.25H4.25c-.55 0-1 .45-1 1v7.5c0 .550.45 1 1 1h7.5c.55 0 1-.45 1-1V9M9.5 2.75h3.75V6.5M13 3 7.75 8.25" />
      </symbol>
      <symbol id="i-shield" viewBox="0 0 16 16">
        <path d="M8 1.75 13 3.5v4c0 3.25-2.25 5.5-5 6.75-2.75-1.25-5-3.5-5-6.75v-4z" />
      </symbol>
      <symbol id="i-plug" viewBox="0 0 16 16">
        <path d="M5.75 2v2.75M10.25 2v2.75M3.75 4.75h8.5V7a4.25 4.25 0 0 1-8.5 0zM8 11.25V14" />
      </symbol>
      <symbol id="i-db" viewBox="0 0 16 16">
        <ellipse cx="8" cy="4" rx="5" ry="2" />
        <path d="M3 4v8c0 1.1 2.24 2 5 2s5-.9 5-2V4M3 8c0 1.1 2.24 2 5 2s5-.9 5-2" />
      </symbol>
      <symbol id="i-keyboard" viewBox="0 0 16 16">
        <rect x="1.75" y="3.75" width="12.5" height="8.5" rx="1.5" />
        <path d="M5.5 9.75h5M4.5 6.75h.01M6.83 6.75h.01M9.16 6.75h.01M11.5 6.75h.01" />
      </symbol>
      <symbol id="i-appearance" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.75" />
        <path className="f" d="M8 2.25a5.75 5.75 0 0 1 0 11.5z" />
      </symbol>
      <symbol id="i-lock" viewBox="0 0 16 16">
        <rect x="3.5" y="7" width="9" height="6.5" rx="1.25" />
        <path d="M5.5 7V5a2.5 2.5 0 0 1 5 0v2" />
      </symbol>
      <symbol id="i-record" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.75" />
        <circle className="f" cx="8" cy="8" r="2.5" />
      </symbol>
      <symbol id="i-chat" viewBox="0 0 16 16">
        <path d="M2.5 4.25c0-.7.55-1.25 1.25-1.25h8.5c.7 0 1.250.55 1.25 1.25v5.5c0 .7-.55 1.25-1.25 1.25H7.25l-3 2.5V11h-.5c-.7 0-1.25-.55-1.25-1.25z" />
      </symbol>
      <symbol id="i-list" viewBox="0 0 16 16">
        <path d="M5.75 4.25h7.75M5.75 8h7.75M5.75 11.75h7.75M2.75 4.25h.01M2.75 8h.01M2.75 11.75h.01" />
      </symbol>
      <symbol id="i-tree" viewBox="0 0 16 16">
        <path d="M2.5 3.5h4.5M4.25 3.5v8.25h2.5M4.25 7.6h2.5M9 7.6h4.5M9 11.75h4.5" />
      </symbol>
      <symbol id="i-splitv" viewBox="0 0 16 16">
        <rect x="2" y="3" width="12" height="10" rx="1.5" />
        <path d="M8 3v10" />
      </symbol>
      <symbol id="i-inline" viewBox="0 0 16 16">
        <rect x="2" y="3" width="12" height="10" rx="1.5" />
        <path d="M4.75 6.5h6.5M4.75 9.5h6.5" />
      </symbol>
      <symbol id="i-ws" viewBox="0 0 16 16">
        <path d="M7.25 8.5H6a3 3 0 0 1 0-6h6.5M7.25 2.5v11M10.5 2.5v11" />
      </symbol>
      <symbol id="i-filter" viewBox="0 0 16 16">
        <path d="M2.5 4.25h11M4.5 8h7M6.5 11.75h3" />
      </symbol>
      <symbol id="i-sidebar" viewBox="0 0 16 16">
        <rect x="2" y="3" width="12" height="10" rx="1.5" />
        <path d="M6.25 3v10" />
      </symbol>
      <symbol id="i-follow" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="4.25" />
        <circle className="f" cx="8" cy="8" r="1.25" />
        <path d="M8 1.5v2.25M8 12.25v2.25M1.5 8h2.25M12.25 8h2.25" />
      </symbol>
      <symbol id="i-merge" viewBox="0 0 16 16">
        <circle cx="4.5" cy="3.75" r="1.5" />
        <circle cx="4.5" cy="12.25" r="1.5" />
        <circle cx="11.5" cy="9.25" r="1.5" />
        <path d="M4.5 5.25v5.5M4.6 5.25c.4 2.5 2.6 4 5.4 4" />
      </symbol>
      <symbol id="i-swap" viewBox="0 0 16 16">
        <path d="M3 5.75h9.5M10 3.25l2.5 2.5L10 8.25M13 10.5H3.5M6 8l-2.5 2.5L6 13" />
      </symbol>
      <symbol id="i-sun" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="2.75" />
        <path d="M8 1.75v1M8 13.25v1M1.75 8h1M13.25 8h1M3.6 3.6l.7.7M11.7 11.7l.7.7M3.6 12.4l.7-.7M11.7 4.3l.7-.7" />
      </symbol>
      <symbol id="i-moon" viewBox="0 0 16 16">
        <path d="M13.25 9.6A5.75 5.75 0 1 1 6.4 2.75a4.5 4.5 0 0 0 6.85 6.85z" />
      </symbol>
      <symbol id="i-trash" viewBox="0 0 16 16">
        <path d="M2.75 4.5h10.5M6 4.5V3h4v1.5M4.1 4.5l.55 8.5h6.7l.55-8.5M6.75 7v3.5M9.25 7v3.5" />
      </symbol>
      <symbol id="i-none" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.5" />
        <path d="m4.15 4.15 7.7 7.7" />
      </symbol>
      <symbol id="i-inferred" viewBox="0 0 16 16">
        <path d="M8 2.75 13.25 8 8 13.25 2.75 8z" strokeDasharray="2.4 1.9" />
      </symbol>
      <symbol id="i-shared" viewBox="0 0 16 16">
        <circle cx="6" cy="8" r="3.6" />
        <circle cx="10" cy="8" r="3.6" />
      </symbol>
      <symbol id="i-hex" viewBox="0 0 16 16">
        <path d="m8 1.75 5.4 3.12v6.26L8 14.25l-5.4-3.12V4.87z" />
        <path d="M6 6.25v3.5M10 6.25v3.5" />
      </symbol>
      <symbol id="i-unfold" viewBox="0 0 16 16">
        <path d="M8 6V2.25M5.75 4.25 8 2l2.25 2.25M8 10v3.75M5.75 11.75 8 14l2.25-2.25M3 8h.01M6.3 8h.01M9.7 8h.01M13 8h.01" />
      </symbol>
      <symbol id="i-off" viewBox="0 0 16 16">
        <path d="M2.25 2.25l11.5 11.5M5.75 2.25v1M10.25 2v2.75M7 4.75h5.25V7c0 .9-.28 1.75-.77 2.45M10 10.75a4.25 4.25 0 0 1-6.25-3.75V4.75M8 11.25V14" />
      </symbol>
      <symbol id="i-download" viewBox="0 0 16 16">
        <path d="M8 2.5v8M4.75 7.5 8 10.75l3.25-3.25M3 13.25h10" />
      </symbol>
      <symbol id="i-todo" viewBox="0 0 16 16">
        <rect x="2.5" y="2.5" width="11" height="11" rx="2" />
        <path d="m5.25 8.25 2 2 3.5-4.25" />
      </symbol>
      <symbol id="i-person" viewBox="0 0 16 16">
        <circle cx="8" cy="5.25" r="2.5" />
        <path d="M3 13.5c.5-2.7 2.5-4 5-4s4.5 1.3 5 4" />
      </symbol>
      <symbol id="i-half" viewBox="0 0 16 16">
        <circle cx="8" cy="8" r="5.5" />
        <path d="M8 4.75V8h2.75" />
      </symbol>
      <symbol id="i-box" viewBox="0 0 16 16">
        <path d="M2.5 5 8 2.25 13.5 5v6L8 13.75 2.5 11z" />
        <path d="M2.75 5.1 8 7.75l5.25-2.65M8 7.75v6" />
      </symbol>
      <symbol id="i-enter" viewBox="0 0 16 16">
        <path d="M12.75 4v3.5c0 .8-.7 1.5-1.5 1.5H3.5M6.25 6.25 3.5 9l2.75 2.75" />
      </symbol>
      <symbol id="i-scope" viewBox="0 0 16 16">
        <path d="M3 6V4c0-.55.45-1 1-1h2M10 3h2c.55 0 1 .45 1 1v2M13 10v2c0 .55-.45 1-1 1h-2M6 13H4c-.55 0-1-.45-1-1v-2" />
      </symbol>
    </svg>
  )
}
