/** The built process of an initial snapshot, at full priority. With WAITS_FOR it begins when there is a file at that path. */
import './full-priority.ts'
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { INGEST_PROGRAM } from './programs.ts'

const { WAITS_FOR } = process.env
while (WAITS_FOR && !existsSync(WAITS_FOR)) await setTimeout(5)

await import(INGEST_PROGRAM)
