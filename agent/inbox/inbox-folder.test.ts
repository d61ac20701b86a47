import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type FileRow, openInboxFolder } from './inbox-folder.ts'

const row: FileRow = {
  name: '',
  outcome: 'new',
  fault: null,
  machine: { serial: 'VN-1' },
  names: ['VN-1'],
  vendsTotal: 10,
  unread: { total: 0 },
}

function anInbox() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-inbox-'))
  const sent: string[][] = []
  const said: string[] = []
  let isAway = false
  const inbox = openInboxFolder(folder, {
    async store(files) {
      if (isAway) throw new Error('fetch failed')
      sent.push(files.map(({ name }) => name))
      return files.map(({ name, data }): FileRow => {
        const content = Buffer.from(data, 'base64').toString()
        if (content === 'letter')
          return { ...row, name, outcome: 'refused', fault: 'notAudit', machine: null, names: [] }
        return content === 'stranger'
          ? { ...row, name, outcome: 'unclear', machine: null, names: ['X-7'] }
          : { ...row, name }
      })
    },
    say: (line) => void said.push(line),
  })
  onTestFinished(() => {
    inbox.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    inbox,
    sent,
    said,
    put: (name: string, content: string) => writeFileSync(join(folder, name), content),
    names: (of: string) => readdirSync(join(folder, of)).map((name) => name.replace(/^\S+?Z-/, '')),
    reasons: (of: string) =>
      readdirSync(join(folder, of))
        .filter((name) => name.endsWith('.reason'))
        .map((name) => readFileSync(join(folder, of, name), 'utf8')),
    leave: (value: boolean) => {
      isAway = value
    },
  }
}

test('files are sent when they stop growing, and moved by their outcome', async () => {
  const { inbox, put, sent, names, reasons } = anInbox()
  put('a.dex', 'audit')
  put('b.EVA', 'stranger')
  put('c.txt', 'letter')
  put('notes.pdf', 'audit')
  await inbox.scan()
  expect(sent).toEqual([])
  await inbox.scan()
  expect(sent).toEqual([['a.dex', 'b.EVA', 'c.txt']])
  expect(names('sent')).toEqual(['a.dex'])
  expect(names('unclear').toSorted()).toEqual(['b.EVA', 'b.EVA.reason'])
  expect(reasons('unclear')).toEqual(['b.EVA · unclear · names X-7 · 10 vends\n'])
  expect(reasons('refused')).toEqual(['c.txt · notAudit · 10 vends\n'])
  expect(names('.')).toContain('notes.pdf')
})

test('files with the longest names are moved too, and sent once', async () => {
  const { inbox, put, sent, names } = anInbox()
  for (const [letter, content] of [
    ['a', 'audit'],
    ['€', 'stranger'],
  ] as const)
    put(`${letter.repeat(Math.floor(251 / Buffer.byteLength(letter)))}.dex`, content)
  for (let n = 0; n < 4; n++) await inbox.scan()
  expect(sent).toHaveLength(1)
  expect([names('sent').length, names('unclear').length]).toEqual([1, 2])
})

test('while the portal is away the files stay, and the fault is named once', async () => {
  const { inbox, put, sent, said, names, leave } = anInbox()
  put('a.dex', 'audit')
  leave(true)
  for (let n = 0; n < 4; n++) await inbox.scan()
  expect(said).toEqual(['fetch failed'])
  expect(names('.')).toContain('a.dex')
  leave(false)
  await inbox.scan()
  expect(sent).toEqual([['a.dex']])
  expect(names('sent')).toEqual(['a.dex'])
})

test('a file that is too large for an audit is not sent', async () => {
  const { inbox, put, sent, reasons } = anInbox()
  put('a.dex', 'x'.repeat(1_100_000))
  await inbox.scan()
  await inbox.scan()
  expect(sent).toEqual([])
  expect(reasons('refused')).toHaveLength(1)
})
