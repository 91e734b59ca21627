// Serves the component gallery: every screen in every state, with an in-memory engine.
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'

const root = resolve(import.meta.dirname, '../src/renderer')
const port = Number(process.env.PORT ?? 5179)
const server = await createServer({
  configFile: false,
  root,
  plugins: [react()],
  worker: { format: 'es' },
  server: { host: '127.0.0.1', port, strictPort: process.env.PORT !== undefined }
})
await server.listen()
console.log(`Gallery: ${server.resolvedUrls?.local[0] ?? `http://127.0.0.1:${port}/`}gallery.html`)
