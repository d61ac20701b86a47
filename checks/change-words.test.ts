import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Alarm } from '#contract/alarm.ts'
import { EditedAlarmSetting } from '#contract/alarm-setting.ts'
import { NewClient } from '#contract/client-edit.ts'
import { MachineFields } from '#contract/machine.ts'
import { MerchantFields } from '#contract/merchant-edit.ts'
import { MerchantSettings } from '#contract/merchant-settings.ts'
import { Note } from '#contract/note.ts'
import { RemoteCommand } from '#contract/remote-command.ts'
import { SapCode } from '#contract/sap-code.ts'
import { changeActions, changeSubjects } from '#contract/vocabulary/change.ts'
import { differencesOf } from '../portal/features/change-log/differences.ts'
import { fieldWords } from '../portal/features/change-log/fieldWords.ts'
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

/** What is written into the log whole, by its contract. */
const logged = {
  client: NewClient,
  machine: z.strictObject(MachineFields),
  merchant: MerchantFields,
  settings: MerchantSettings.omit({ pin: true }),
  alarmSetting: EditedAlarmSetting,
  alarm: Alarm,
  command: RemoteCommand,
  note: Note,
  sapCode: SapCode,
}

test.each(Object.entries(logged))('every field that the log tells of a %s has a word', (_, { shape }) => {
  const english = (file: string) => JSON.parse(readFileSync(join(root, 'language', 'en', `${file}.json`), 'utf8'))
  const said = new Set(fieldWords.flatMap(([file, part]) => Object.keys(english(file)[part])))
  const told = differencesOf({ before: null, after: Object.fromEntries(Object.keys(shape).map((name) => [name, 1])) })
  expect(told.length).toBeGreaterThan(1)
  expect(told.map(({ field }) => field).filter((field) => !said.has(field))).toEqual([])
})

test('no word is kept for what nothing writes', () => {
  const isWritten = (action: string) => texts.some((text) => text.includes(`'${action}'`))
  expect(changeActions.filter((action) => !isWritten(action))).toEqual([])
})
