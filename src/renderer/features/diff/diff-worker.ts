/** The worker in which Monaco compares texts, with one more way to compare: without whitespace. */
import 'monaco-editor/editor/editor.worker'
import { linesDiffComputers } from 'monaco-editor/editor/common/diff/linesDiffComputers'
import { ignoringBlanks } from './blank-free-diff.ts'

// Monaco has this name for a computer of others, and none of its own behind it.
linesDiffComputers.getAdvancedExternal = () => ignoringBlanks(linesDiffComputers.getDefault())
