import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { readTable } from './table-file.ts'

/** A ZIP archive of uncompressed files (PKWARE APPNOTE, 4.3). */
function zipOf(files: readonly (readonly [name: string, text: string])[]): Uint8Array {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of files) {
    const path = Buffer.from(name)
    const content = Buffer.from(text)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt32LE(crc32(content), 14)
    head.writeUInt32LE(content.length, 18)
    head.writeUInt32LE(content.length, 22)
    head.writeUInt16LE(path.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    head.copy(entry, 6, 4, 30)
    entry.writeUInt32LE(at, 42)
    locals.push(head, path, content)
    directory.push(entry, path)
    at += head.length + path.length + content.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, ...directory, end])
}

const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const officeRelations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook with one sheet: a heading, and a cell below it. */
const workbookWith = (prolog: string, cell: string, others: readonly (readonly [string, string])[] = []) =>
  zipOf([
    [
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${officeRelations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${spreadsheet}" xmlns:r="${officeRelations}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${officeRelations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ],
    [
      'xl/worksheets/sheet1.xml',
      `<?xml version="1.0"?>${prolog}<worksheet xmlns="${spreadsheet}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>${cell}</t></is></c></row></sheetData></worksheet>`,
    ],
    ...others,
  ])

const reading = { mostRows: 10, headings: new Set(['name']) }
const read = (bytes: Uint8Array) =>
  readTable(bytes, reading).then(
    ({ rows }) => rows,
    ({ code }: { code?: string }) => code,
  )

test('a workbook is read', async () => {
  expect(await read(workbookWith('', 'Caf&#233; &amp; Co'))).toEqual([['name'], ['Café & Co']])
})

test('entities of a workbook are not resolved: neither a file of the server nor a text that unfolds', async () => {
  const ownFile = JSON.stringify(import.meta.filename)
  const outside = await read(workbookWith(`<!DOCTYPE a [<!ENTITY x SYSTEM ${ownFile}>]>`, '&x;'))
  expect(JSON.stringify(outside)).not.toContain('readTable')
  const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
  const laughs = await read(workbookWith(`<!DOCTYPE a [<!ENTITY l0 "unfolded">${levels.join('')}]>`, '&l9;'))
  expect(JSON.stringify(laughs)).not.toContain('unfolded')
})

test('an archive with thousands of files is refused before they are read', async () => {
  const files = Array.from({ length: 2_000 }, (_, n) => [`xl/media/${n}.xml`, ''] as const)
  expect(await read(workbookWith('', 'x', files.slice(0, 500)))).toEqual([['name'], ['x']])
  expect(await read(workbookWith('', 'x', files))).toBe('ImportUnreadable')
})
