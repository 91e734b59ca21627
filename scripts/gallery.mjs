// Serves the component gallery: every screen in every state, with an in-memory engine.
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'

const project = resolve(import.meta.dirname, '..')
const port = Number(process.env.PORT ?? 5179)
const server = await createServer({
  configFile: false,
  root: resolve(project, 'test/gallery'),
  publicDir: resolve(project, 'src/renderer/public'),
  plugins: [react()],
  worker: { format: 'es' },
  // The scenes import the product from src.
  server: { fs: { allow: [project] }, host: '127.0.0.1', port, strictPort: process.env.PORT !== undefined }
})
await server.listen()
console.log(`Gallery: ${server.resolvedUrls?.local[0] ?? `http://127.0.0.1:${port}/`}`)
