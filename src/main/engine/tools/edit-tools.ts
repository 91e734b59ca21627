/**
 * write_file and edit_file: prepare a change, and refuse what would be a guess. Invariant: nothing is written before
 * `apply`, which replaces the whole file in one step if it still is the one that was read (replace-file.ts).
 */
import { accessSync, constants, lstatSync } from 'node:fs'
import type { DriftlineError } from '../../../contract/errors.ts'
import { withoutDamage } from '../checkpoints/damage.ts'
import { readContent } from '../diff/describe-changes.ts'
import { ifExists } from '../files/fs-errors.ts'
import { followLink, type NamedPath, refusal, resolveNamedPath } from '../files/named-path.ts'
import { makeFolders, replaceFile, toRefusal } from '../files/replace-file.ts'
import { looksSecret } from '../files/secret-path.ts'
import type { Signature } from '../files/signature.ts'
import { sha256 } from '../store/hash.ts'
import type { Store } from '../store/open-store.ts'
import { MAX_FILE_BYTES, readFileBytes } from './file-bytes.ts'
import { containsPassage } from './locate.ts'
import { type EditPlan, planEdit } from './plan-edit.ts'
import { type PreparedUse, refusePath, type ToolContext, type UseOf, unchanged } from './prepared-use.ts'
import { SIMILARITY_THRESHOLD } from './similar-lines.ts'
import { bytesOfText, textOfBytes } from './text-bytes.ts'

export function prepareWrite(context: ToolContext, use: UseOf<'write_file'>): PreparedUse {
  const named = followLink(context, resolveNamedPath(context, use.path))
  requireWellFormed(use.content)
  const bytes = new TextEncoder().encode(use.content)
  if (bytes.length > MAX_FILE_BYTES)
    throw refusal('too-large', 'The content is larger than 50 MB. Nothing was written.')
  const { path, missing } = named
  const answer = { paths: [path], bytes: bytes.length }
  if (!named.stat) {
    return {
      changes: [...missing, path],
      destroys: [],
      apply: async (tempName) => {
        makeFolders(context.root, missing)
        await replaceFile({ root: context.root, path, expected: null, mode: null, tempName }, bytes)
      },
      answer: { ...answer, outcome: { code: 'created' } }
    }
  }
  const old = readFileBytes(context.root, named, 'to write to')
  requireWritable(named)
  if (Buffer.compare(old.bytes, bytes) === 0) return unchanged({ ...answer, outcome: { code: 'same-content' } })
  return {
    ...replacement(context, named, old.signature, bytes),
    answer: {
      ...answer,
      overwritten: true,
      outcome: { code: 'replaced', bytesBefore: old.bytes.length },
      hardLinks: hasHardLinks(named)
    }
  }
}

export function prepareEdit(context: ToolContext, use: UseOf<'edit_file'>): PreparedUse {
  const named = followLink(context, resolveNamedPath(context, use.path))
  requireWellFormed(use.old)
  requireWellFormed(use.new)
  const { path } = named
  const before = readFileBytes(context.root, named, 'to edit')
  requireWritable(named)
  const file = textOfBytes(before.bytes)
  if (!file) throw refusePath(path, 'binary', 'is not text, so it cannot be edited. Nothing was changed.')
  if (file.encoding === 'bytes' && /[^\0-\x7f]/.test(use.new))
    throw refusePath(
      path,
      'encoding',
      'has an unknown encoding, so only ASCII text can be added to it. Nothing was changed.'
    )
  const secret = looksSecret(path) || looksSecret(use.path)
  const plan = planEdit({
    text: file.text,
    old: use.old,
    new: use.new,
    // How similar a guess is to a password must not be revealed.
    exactOnly: secret,
    wasApplied: () => withoutDamage(context.store, () => wasApplied(context.store, path, file.text, use))
  })
  if (plan.result === 'done') {
    const outcome = { code: plan.why === 'applied' ? 'edited-before' : 'no-change' } as const
    return unchanged({ paths: [path], bytes: before.bytes.length, outcome, secret })
  }
  if (plan.result !== 'edit') throw editRefusal(path, plan, secret)
  const bytes = bytesOfText({ ...file, text: plan.text })
  if (!bytes) throw refusePath(path, 'encoding', 'cannot hold these characters. Nothing was changed.')
  const { rung, similarity, firstLine, lastLine } = plan
  return {
    ...replacement(context, named, before.signature, bytes),
    basis: { path, hash: sha256(before.bytes).toString('hex'), signature: before.signature },
    answer: {
      paths: [path],
      bytes: bytes.length,
      overwritten: true,
      outcome: { code: 'edited' },
      hardLinks: hasHardLinks(named),
      found: { rung, similarity, firstLine, lastLine },
      secret
    }
  }
}

/** The part of a prepared use that replaces a file. */
function replacement(context: ToolContext, { path }: NamedPath, expected: Signature, bytes: Uint8Array) {
  return {
    changes: [path],
    destroys: [path],
    apply: (tempName: string) =>
      replaceFile({ root: context.root, path, expected, mode: expected.mode, tempName }, bytes)
  }
}

/** Replacing a file needs write permission on its folder alone. A read-only file is refused nevertheless. */
function requireWritable({ path, absolute }: NamedPath): void {
  try {
    accessSync(absolute, constants.W_OK)
  } catch (error) {
    throw toRefusal(error, path)
  }
}

/** A replaced file is a new inode: other hard links keep the old content. */
function hasHardLinks({ absolute }: NamedPath): boolean {
  return (ifExists(() => lstatSync(absolute))?.nlink ?? 1) > 1
}

function requireWellFormed(text: string): void {
  if (!text.isWellFormed())
    throw refusal('bad-text', 'The text contains half a character (a lone surrogate). Nothing was changed.')
}

/** Why an edit was refused. `secret`: the error reveals neither a line of the file nor how similar one is. */
function editRefusal(
  path: string,
  plan: Exclude<EditPlan, { readonly result: 'edit' | 'done' }>,
  secret: boolean
): DriftlineError {
  switch (plan.result) {
    case 'empty':
      return refusal(
        'empty-old',
        `old_string has no text to find. Quote the lines to replace, or write all of ${path} with write_file.`,
        { path }
      )
    case 'several': {
      const places = `${plan.more ? 'at least ' : ''}${plan.count} places`
      const verb = plan.rung === 'exact' ? 'occurs' : 'fits'
      const lines = `${plan.lines.length < plan.count ? 'among them lines' : 'lines'} ${plan.lines.join(', ')}`
      return refusal(
        'ambiguous',
        `old_string ${verb} in ${places} of ${path} (${lines}). Nothing was changed; quote more of the surrounding lines.`,
        { path, count: plan.count, lines: plan.lines, rung: plan.rung }
      )
    }
    case 'none': {
      const nearest = secret ? null : plan.nearest
      const hint = nearest
        ? ` The nearest is line ${nearest.line} (${Math.floor(nearest.similarity * 100)} % alike): ${nearest.text} A passage is found from ${SIMILARITY_THRESHOLD * 100} % on.`
        : ''
      const tooMuch = plan.tooMuch && !secret ? ' The texts are too large to search for a similar passage.' : ''
      return refusal(
        'not-found',
        `old_string was not found in ${path}. Nothing was changed; read the file and quote it exactly.${tooMuch}${hint}`,
        { path, ...(nearest ? { nearest } : {}) }
      )
    }
  }
}

/** The newest edits of the file that are examined, and how much text of them, UTF-16 units. */
const MAX_EDITS = 12
const MAX_UNITS = 2_000_000

/**
 * Whether the same edit was applied before, so that an agent that repeats it does not change the file twice: the
 * file contains the new text, and one of its newest edits in the log is exactly what this edit does to the version
 * before.
 */
function wasApplied(store: Store, path: string, current: string, edit: UseOf<'edit_file'>): boolean {
  if (!containsPassage(current, edit.new)) return false
  const head = store.records.head(path)
  if (!head) return false
  let budget = MAX_UNITS
  for (const { before, after } of store.records.editsOf(head.id).slice(0, MAX_EDITS)) {
    budget -= store.records.version(before).size
    if (budget < 0) return false
    const text = textOfVersion(store, before)
    const plan = text === null ? null : planEdit({ text, old: edit.old, new: edit.new })
    if (plan?.result === 'edit' && plan.text === textOfVersion(store, after)) return true
  }
  return false
}

/** null when it is no text, too large or not stored. */
function textOfVersion(store: Store, id: number): string | null {
  const version = store.records.version(id)
  if (version.kind !== 'file' || version.size > MAX_UNITS) return null
  const bytes = readContent(store, version)
  return bytes ? (textOfBytes(bytes)?.text ?? null) : null
}
