/** How a person names something in the repository of a subfolder. No name of git has a colon, or `.git` as a part. */

/** `item`: its name in its own repository. `folder`: '' for that of the recorded folder. */
export function nameIn(folder: string, item: string): string {
  if (folder === '') return item
  return item === '.git' ? `${folder}/${item}` : `${folder}:${item}`
}

/** What a contract type says of the repository of an item: nothing for that of the recorded folder. */
export function folderOf(path: string): { readonly folder?: string } {
  return path === '' ? {} : { folder: path }
}
