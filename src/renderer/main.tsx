/** Entry of the window and of the browser page. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createConnection } from './client/connection.ts'
import { detectPlatform } from './client/hosts.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const platform = detectPlatform()
const connection = createConnection(platform.connect)
createRoot(root).render(
  <StrictMode>
    <App platform={platform} connection={connection} />
  </StrictMode>
)
