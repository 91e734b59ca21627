/** write_file and edit_file. Both replace the whole file in one step (replace-file.ts). */
import { accessSync, constants, lstatSync } from 'node:fs'
import { followLink, type NamedPath, refusal, resolveNamedPath } from '../files/named-path.ts'
import { makeFolders, replaceFile, toRefusal } from '../files/replace-file.ts'
import { looksSecret } from '../files/secret-path.ts'
import type { Signature } from '../files/signature.ts'
import { sha256 } from '../store/hash.ts'
import { wasApplied } from './already-applied.ts'
import { editRefusal } from './edit-refusals.ts'
import { MAX_FILE_BYTES, readFileBytes } from './file-bytes.ts'
import { planEdit } from './plan-edit.ts'
import { type PreparedUse, type ToolContext, unchanged } from './prepared-use.ts'
import { bytesOfText, textOfBytes } from './text-bytes.ts'

export function prepareWrite(
  context: ToolContext,
  use: { readonly path: string; readonly content: string }
): PreparedUse {
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
      apply: (tempName) => {
        makeFolders(context.root, missing)
        replaceFile({ root: context.root, path, expected: null, mode: null, tempName }, bytes)
      },
      answer: { ...answer, overwritten: false, message: `Wrote ${path}, a new file with ${bytes.length} bytes.` }
    }
  }
  const old = readFileBytes(named, 'to write to')
  requireWritable(named)
  if (Buffer.compare(old.bytes, bytes) === 0)
    return unchanged({ ...answer, message: `${path} already has this content.` })
  return {
    ...replacement(context, named, old.signature, bytes),
    answer: {
      ...answer,
      overwritten: true,
      message: `Wrote ${path}: ${bytes.length} bytes, replacing ${old.bytes.length}.${hardLinkNote(named)}`
    }
  }
}

export function prepareEdit(
  context: ToolContext,
  use: { readonly path: string; readonly old: string; readonly new: string }
): PreparedUse {
  const named = followLink(context, resolveNamedPath(context, use.path))
  requireWellFormed(use.old)
  requireWellFormed(use.new)
  const { path } = named
  const before = readFileBytes(named, 'to edit')
  requireWritable(named)
  const file = textOfBytes(before.bytes)
  if (!file) throw refusal('binary', `${path} is not text, so it cannot be edited. Nothing was changed.`, { path })
  if (file.encoding === 'bytes' && /[^\0-\x7f]/.test(use.new))
    throw refusal(
      'encoding',
      `${path} has an unknown encoding, so only ASCII text can be added to it. Nothing was changed.`,
      { path }
    )
  const secret = looksSecret(path) || looksSecret(use.path)
  const plan = planEdit({
    text: file.text,
    old: use.old,
    new: use.new,
    // How similar a guess is to a password must not be revealed.
    exactOnly: secret,
    wasApplied: () => wasApplied(context.store, path, file.text, use)
  })
  if (plan.result === 'done') {
    const message = plan.why === 'applied' ? `${path} already has this edit.` : `The edit does not change ${path}.`
    return unchanged({ paths: [path], bytes: before.bytes.length, message, secret })
  }
  if (plan.result !== 'edit') throw editRefusal(path, plan, secret)
  const bytes = bytesOfText({ ...file, text: plan.text })
  if (!bytes) throw refusal('encoding', `${path} cannot hold these characters. Nothing was changed.`, { path })
  const { rung, similarity, firstLine, lastLine } = plan
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`
  return {
    ...replacement(context, named, before.signature, bytes),
    basis: { path, hash: sha256(before.bytes).toString('hex'), signature: before.signature },
    answer: {
      paths: [path],
      bytes: bytes.length,
      overwritten: true,
      message: `Edited ${path} at ${lines}${RUNG_NOTES[rung]}.${hardLinkNote(named)}`,
      found: { rung, similarity, firstLine, lastLine },
      secret
    }
  }
}

const RUNG_NOTES = {
  exact: '',
  whitespace: '; whitespace differs from old_string',
  indentation: '; indentation differs from old_string and follows the file',
  unicode: '; quotes, dashes, blanks or accents differ from old_string',
  similar: '; the passage is only similar to old_string, so check the result'
} as const

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
function hardLinkNote({ absolute }: NamedPath): string {
  const { nlink } = lstatSync(absolute)
  return nlink > 1 ? ' Its other hard links keep the old content.' : ''
}

function requireWellFormed(text: string): void {
  if (!text.isWellFormed())
    throw refusal('bad-text', 'The text contains half a character (a lone surrogate). Nothing was changed.')
}
