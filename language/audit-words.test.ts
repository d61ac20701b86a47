import { expect, test } from 'vitest'
import { auditWarningCodes } from '#contract/audits/audit-content.ts'
import { portalAlarms } from '#contract/vocabulary/alarm.ts'
import { machineEventNames } from '#contract/vocabulary/machines/machine-event.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { readWords } from '#testkit/words.ts'

const wordsOf = readWords<Record<string, string>>

test.each([...languages])('in %s every event code and every audit remark has a sentence', (language) => {
  expect(Object.keys(wordsOf(language, 'machine-event'))).toEqual([...machineEventNames, ...portalAlarms])
  expect(Object.keys(wordsOf(language, 'audit-warning'))).toEqual([...auditWarningCodes])
})

test.each([...languages])('in %s no two events of a machine are called the same', (language) => {
  const words = Object.values(wordsOf(language, 'machine-event'))
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
})
