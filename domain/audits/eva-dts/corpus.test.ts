import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AuditContent } from '#contract/audits/audit-content.ts'
import { readAudit } from './reader.ts'

/*
 * Files of real machines stay with their publishers: EVA_DTS_CORPUS names a folder of them, if available. Expected
 * values are listed here; a file without expected values must only be readable.
 */

const fixtures = join(import.meta.dirname, 'fixtures')
const folder = process.env.EVA_DTS_CORPUS || fixtures
const where = folder === fixtures ? 'EVA_DTS_CORPUS is not set, so own example files alone are read' : 'EVA_DTS_CORPUS'
const files = readdirSync(folder).filter((name) => name.endsWith('.eva'))

const expectedFacts: Record<string, { crc: string; salesTotal: number | null; selectionsTotal: number | null }> = {
  'animo-optime.eva': { crc: 'holds', salesTotal: 816_100, selectionsTotal: 153_700 },
  'rhea-luce-x2zero.eva': { crc: 'holds', salesTotal: 586_530, selectionsTotal: 586_530 },
  'rhea-luce-2016.eva': { crc: 'holdsSwapped', salesTotal: 55_046_400, selectionsTotal: 55_046_400 },
  'coffeemar-g250.eva': { crc: 'fails', salesTotal: 9_457_690, selectionsTotal: null },
}

test(`${where}: there are audit files`, () => {
  expect(files).not.toEqual([])
})

test.each(files)(`${where}: %s is read, with its checksum and its known sums`, (name) => {
  const content = readAudit(new Uint8Array(readFileSync(join(folder, name))))
  expect(AuditContent.parse(content)).toEqual(content)
  expect(content.reports.filter(({ isMain }) => isMain)).toHaveLength(1)
  const facts = {
    crc: content.crc.verdict,
    salesTotal: content.sales.paid?.sinceInitialisation.value ?? null,
    selectionsTotal: content.identities.salesBySelection.left,
  }
  const totals = [facts.salesTotal, facts.selectionsTotal].map((value) => value ?? 'not reported')
  console.info(`${name}: CRC ${facts.crc}, VA101 ${totals[0]}, sum of PA2 ${totals[1]}`)
  expect(facts).toEqual(expectedFacts[name] ?? facts)
  expect(facts.salesTotal).not.toBeNull()
})
