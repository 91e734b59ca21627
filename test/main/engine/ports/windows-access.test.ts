import { expect, test } from 'vitest'
import { dataFolderReadersText } from '../../../../src/contract/words/data-folder.ts'
import { otherReaders } from '../../../../src/main/engine/ports/windows-access.ts'

const USER = 'S-1-5-21-397955417-626881126-188441444-1001'
const OTHER = 'S-1-5-21-397955417-626881126-188441444-1002'

/** Security descriptors as `icacls /save` writes them, with the name of the folder in the first line. */
const FOLDERS = {
  'in the user folder': [`data\r\nD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${USER})\r\n`, []],
  'in the root of a second drive': [
    'data\r\nD:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1301bf;;;AU)(A;OICIID;0x1200a9;;;BU)\r\n',
    ['AU', 'BU']
  ],
  'in C:\\ProgramData': [
    'data\r\nD:AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIIOID;GA;;;CO)(A;OICIID;0x1200a9;;;BU)(A;CIID;DCLCRPCR;;;BU)\r\n',
    ['BU']
  ],
  'others may only delete in it': [`data\r\nD:PAI(A;OICI;FA;;;${USER})(A;;DCCR;;;BU)\r\n`, []],
  'restricted by Driftline': [`data\r\nD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${USER})\r\n`, []],
  'shared with another account': [`data\r\nD:PAI(A;OICI;FA;;;${USER})(A;OICI;FR;;;${OTHER})\r\n`, [OTHER]],
  'others may only pass through': [`data\r\nD:PAI(A;OICI;FA;;;${USER})(A;;0x100020;;;WD)\r\n`, []],
  'others are denied': [`data\r\nD:PAI(D;OICI;FA;;;WD)(A;OICI;FA;;;${USER})\r\n`, []],
  'on a disk without access lists': ['data\r\nD:NO_ACCESS_CONTROL\r\n', ['WD']]
} as const

test.for(Object.entries(FOLDERS))('[PR-1] who else may read a data folder %s', ([, [sddl, readers]]) => {
  expect(otherReaders('D:\\data', { sddl: () => sddl, ownSid: () => USER, grantOnly: () => false })).toEqual(readers)
})

test('[PR-1] nothing is said when the system does not answer', () => {
  expect(otherReaders('D:\\data', { sddl: () => null, ownSid: () => USER, grantOnly: () => false })).toEqual([])
})

test('[PR-1] doctor says who, that nothing was changed, and what to do', () => {
  const text = dataFolderReadersText('D:\\data', ['AU', 'BU', OTHER])
  expect(text).toContain(`everyone who can sign in, all users of this computer and the account ${OTHER}`)
  expect(text).toContain('Nothing was changed.')
  expect(text).toContain('icacls "D:\\data" /inheritance:r')
})
