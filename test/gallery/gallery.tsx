/** The component gallery: every screen in every state on an engine without a disk. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../../src/renderer/app/app.tsx'
import { createConnection } from '../../src/renderer/client/connection.ts'
import type { Platform } from '../../src/renderer/client/platform.ts'
import './gallery.css'
import { fakeConnect } from './fake-engine.ts'
import { SHOP, VARIANTS, type Variant } from './scene.ts'

const params = new URLSearchParams(location.search)
const variant = VARIANTS.find((name) => name === params.get('variant')) ?? null
const host = params.get('host') === 'browser' ? 'browser' : 'electron'
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

sessionStorage.removeItem('driftline.open')
createRoot(root).render(<StrictMode>{variant === null ? <Index /> : shown(variant)}</StrictMode>)

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

function shown(name: Variant) {
  const welcome = name === 'welcome' || name === 'first-copy' || name === 'no-recents'
  const connect = fakeConnect(name)
  const platform: Platform = {
    kind: host,
    openFirst: welcome ? '' : SHOP.id,
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
    ...(host === 'electron'
      ? { chooseFolder: async () => SHOP.root, reveal: async () => {}, openInEditor: async () => {} }
      : {})
  }
  return <App platform={platform} connection={createConnection(connect)} />
}
