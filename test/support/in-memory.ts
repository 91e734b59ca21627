/** Imported for its side effect: puts temporary folders into memory if the system has a file system for it. For tests with many short histories. */
import { existsSync } from 'node:fs'

// Durability is tested by the crash suite; here, waiting for the disk would take most of the time.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'
