/** Entry of the window and of the browser page. */
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { createConnection } from './client/connection.ts'
import { detectPlatform } from './client/detect-platform.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
const platform = detectPlatform()
createRoot(root).render(<App platform={platform} connection={createConnection(platform.connect)} />)
