/** A program that starts an initial snapshot and is killed in the middle of it, with the process that takes it. */
import { createEngine } from '../../src/main/engine/engine.ts'
import { TEST_PROGRAMS } from './programs.ts'

const [dataDir, folder] = process.argv.slice(2) as [string, string]
process.env.KILLS_HOST = '1'
const programs = { ingest: TEST_PROGRAMS['killed-copier'] }
const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs })
await engine.call('workspaces.add', { folder, wait: true })
