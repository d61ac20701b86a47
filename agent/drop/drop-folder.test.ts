import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anAudit } from '../emulator/an-audit.ts'
import type { NewItem } from '../journal/items.ts'
import { openDropFolder } from './drop-folder.ts'

const audit = Buffer.from(anAudit({ selections: 2, vends: 5 }))

function aDropFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-drop-'))
  const sent: NewItem[] = []
  const faults: unknown[] = []
  let isFull = false
  const drop = openDropFolder(folder, {
    report(item) {
      if (isFull) throw new Error('The disk is full')
      sent.push(item)
    },
    failed: (error) => void faults.push(error),
  })
  onTestFinished(() => {
    drop.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const put = (name: string, content: Uint8Array | string) => writeFileSync(join(folder, name), content)
  const names = (of: string) => readdirSync(join(folder, of)).map((name) => name.replace(/^\S+?Z-/, ''))
  const fillDisk = (value: boolean) => {
    isFull = value
  }
  return { folder, drop, sent, faults, put, names, fillDisk }
}

test('audits are sent unchanged when their size has stopped changing, and are moved', () => {
  const { folder, drop, sent, put, names } = aDropFolder()
  put('a.eva', audit.subarray(0, 100))
  drop.scan()
  appendFileSync(join(folder, 'a.eva'), audit.subarray(100))
  put('b.DEX', audit)
  put('c.txt', audit)
  put('readme.md', 'for the other program')
  drop.scan()
  expect(sent).toEqual([])
  drop.scan()
  drop.scan()
  expect(sent).toHaveLength(3)
  const data = audit.toString('base64')
  for (const item of sent) expect(item).toMatchObject({ kind: 'audit', origin: 0, port: 'unknown', data })
  expect(names('sent')).toEqual(['a.eva', 'b.DEX', 'c.txt'])
  expect(readdirSync(folder).toSorted()).toEqual(['readme.md', 'refused', 'sent'])
})

test('what is no audit is refused with its reason beside it: noise, large files, empty ones', () => {
  const { folder, drop, sent, put, names } = aDropFolder()
  put('empty.eva', '')
  put('large.eva', randomBytes(1024 * 1024))
  put('noise.txt', Buffer.concat([randomBytes(50_000), Buffer.from('\r\nCA2*12*3\r\n'), randomBytes(50_000)]))
  for (let time = 0; time < 3; time++) drop.scan()
  expect(sent).toEqual([])
  expect(names('refused')).toEqual([
    'empty.eva',
    'empty.eva.reason',
    'large.eva',
    'large.eva.reason',
    'noise.txt',
    'noise.txt.reason',
  ])
  const reasons = readdirSync(join(folder, 'refused')).filter((name) => name.endsWith('.reason'))
  expect(reasons.map((name) => readFileSync(join(folder, 'refused', name), 'utf8').trim())).toEqual([
    'The file is no audit of EVA-DTS',
    'The file is larger than 195072 bytes',
    'The file is no audit of EVA-DTS',
  ])
})

test('folders and links are left alone, and on a full disk a file waits', () => {
  const { folder, drop, sent, faults, put, names, fillDisk } = aDropFolder()
  mkdirSync(join(folder, 'folder.eva'))
  put('outside', audit)
  symlinkSync(join(folder, 'outside'), join(folder, 'link.eva'))
  put('a.eva', audit)
  fillDisk(true)
  for (let time = 0; time < 3; time++) drop.scan()
  expect([sent, names('sent'), faults.length]).toEqual([[], [], 1])
  fillDisk(false)
  drop.scan()
  expect(sent).toHaveLength(1)
  expect(names('sent')).toEqual(['a.eva'])
})
