/** The built process of an initial snapshot, at full priority. */
import './full-priority.ts'
import { INGEST_PROGRAM } from './programs.ts'

await import(INGEST_PROGRAM)
