import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Alarm } from '#contract/alarms/alarm.ts'
import { EditedAlarmSetting } from '#contract/alarms/alarm-setting.ts'
import { RemoteCommand } from '#contract/commands/remote-command.ts'
import { endpoints } from '#contract/endpoints.ts'
import { MachineFields } from '#contract/machines/machine.ts'
import { Note } from '#contract/machines/note.ts'
import { MerchantFields } from '#contract/merchants/merchant-edit.ts'
import { MerchantSettings } from '#contract/merchants/merchant-settings.ts'
import { changeActions, changeSubjects } from '#contract/vocabulary/change.ts'
import { capital, type RecordNoun, recordNouns } from '#contract/vocabulary/record-nouns.ts'
import { readWords } from '#testkit/words.ts'
import { differencesOf } from '../portal/features/platform/change-log/differences.ts'
import { fieldWords } from '../portal/features/platform/change-log/fieldWords.ts'
import { root } from './sources.ts'

/** What the code writes into the log: `action: 'group.update'`, or one of two by a condition. */
const written = /\baction(?::| =)[^,\n}]*?'([a-z]\w*\.[a-z]\w*)'(?: : '([a-z]\w*\.[a-z]\w*)')?/g
const subjects = /\bsubject(?:T|_t)ype(?::| =) '([a-z]\w*)'/g

const texts = globSync('{database,server}/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(root, file), 'utf8'))
const found = (pattern: RegExp) =>
  texts
    .flatMap((text) => [...text.matchAll(pattern)])
    .flatMap(([, ...names]) => names.filter((name) => name !== undefined))

test('whatever is written into the change log has a word', () => {
  const actions = new Set(found(written))
  expect(actions.size).toBeGreaterThan(20)
  expect([...actions].filter((action) => !(changeActions as readonly string[]).includes(action))).toEqual([])
  const types = new Set(found(subjects))
  expect(types.size).toBeGreaterThan(10)
  expect([...types].filter((type) => !(changeSubjects as readonly string[]).includes(type))).toEqual([])
})

/** What people fill in of a record. */
const bodyOf = (noun: RecordNoun) => endpoints[`create${capital(noun)}`].body as z.ZodObject

/** What is written into the log whole, by its contract. */
const logged = {
  machine: z.strictObject(MachineFields),
  merchant: MerchantFields,
  settings: MerchantSettings.omit({ pin: true }),
  alarmSetting: EditedAlarmSetting,
  alarm: Alarm,
  command: RemoteCommand,
  note: Note,
  ...Object.fromEntries(recordNouns.map((noun) => [noun, bodyOf(noun)])),
}

test.each(Object.entries(logged))('every logged field of a %s has a word', (_, { shape }) => {
  const english = (file: string) => readWords<Record<string, object>>('en', file)
  const said = new Set(fieldWords.flatMap(([file, part]) => Object.keys(english(file)[part] ?? {})))
  const told = differencesOf({ before: null, after: Object.fromEntries(Object.keys(shape).map((name) => [name, 1])) })
  expect(told.length).toBeGreaterThan(0)
  expect(told.map(({ field }) => field).filter((field) => !said.has(field))).toEqual([])
})

/** A record that is declared editable is logged by its frame. */
const editables = new Set(found(/\beditable\(\{\s*noun: '([a-z]\w*)'/g))

test('no word is kept for what nothing writes', () => {
  expect(editables.size).toBeGreaterThan(1)
  const isWritten = (action: string) =>
    texts.some((text) => text.includes(`'${action}'`)) || editables.has(action.split('.')[0] ?? '')
  expect(changeActions.filter((action) => !isWritten(action))).toEqual([])
})
