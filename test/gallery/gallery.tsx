/** The component gallery: every screen in every state on an engine without a disk. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../../src/renderer/app/app.tsx'
import { createConnection } from '../../src/renderer/client/connection.ts'
import type { Platform } from '../../src/renderer/client/platform.ts'
import { type Scene, showScenes } from '../support/scenes.ts'
import './gallery.css'
import { fakeConnect } from './fake-engine.ts'
import { AWAY_SHOP } from './hosts-scene.ts'
import { SHOP, VARIANTS, type Variant } from './scene.ts'

showScenes(createRoot, (query) => {
  sessionStorage.removeItem('driftline.open')
  const variant = VARIANTS.find((name) => name === query.get('variant'))
  return variant ? sceneOf(variant, query.get('host') === 'browser' ? 'browser' : 'electron') : { content: <Index /> }
})

function Index() {
  return (
    <main className="gallery">
      <h1>Gallery</h1>
      <ul>
        {VARIANTS.map((name) => (
          <li key={name}>
            <a href={`?variant=${name}`}>{name}</a>
            <a className="muted" href={`?variant=${name}&host=browser`}>
              in a browser
            </a>
          </li>
        ))}
      </ul>
    </main>
  )
}

/** What is open at first. */
function firstOf(name: Variant): string {
  if (name === 'welcome' || name === 'first-copy' || name === 'no-recents' || name === 'rebuilt') return ''
  if (name === 'today') return 'today'
  if (name === 'bundle') return 'ws_bundle'
  return name === 'host-away' ? AWAY_SHOP : SHOP.id
}

function sceneOf(name: Variant, host: Platform['kind']): Scene {
  const ended = new AbortController()
  const connect = fakeConnect(name, ended.signal)
  const platform: Platform = {
    kind: host,
    openFirst: firstOf(name),
    openWindow: () => {},
    connect,
    // Opens the settings by a host command, as the menu does.
    ...(name.startsWith('settings-')
      ? {
          onCommand: (run: (id: string) => void) => {
            const timer = setTimeout(() => run(name), 300)
            return () => clearTimeout(timer)
          }
        }
      : {}),
    pathForFile: (file) => (host === 'electron' ? `${SHOP.root}/${file.name}` : ''),
    ...(host === 'electron' ? { chooseFolder: async () => SHOP.root, reveal: async () => {} } : {})
  }
  const connection = createConnection(connect)
  return {
    content: (
      <StrictMode>
        <App platform={platform} connection={connection} />
      </StrictMode>
    ),
    end: () => {
      connection.close()
      ended.abort()
    }
  }
}
