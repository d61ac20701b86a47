import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditWarningCodes } from '#contract/audit-content.ts'
import { languages } from '#contract/vocabulary/languages.ts'

test.each([...languages])('in %s every remark of the audit reader has its words', (language) => {
  const words = JSON.parse(readFileSync(new URL(`${language}/audit-warning.json`, import.meta.url), 'utf8'))
  expect(Object.keys(words)).toEqual([...auditWarningCodes])
})
