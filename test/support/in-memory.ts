/** Imported for its effect: temporary folders lie in memory where the system has such a place. For histories, which are many and short. */
import { existsSync } from 'node:fs'

// What a power failure would leave is the crash suite's matter; here waiting for the disk would be most of the time.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'
