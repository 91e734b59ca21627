/** Random tests play the same inputs each time, also where one does not set the seed itself (scale.ts). */
import fc from 'fast-check'
import { SEED } from './scale.ts'

fc.configureGlobal({ seed: SEED })
