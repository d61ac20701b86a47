import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { settingsMatching } from '../api/alarms/alarm-setting.ts'
import { wordsIn } from '../words.ts'
import { given } from './given.ts'
import { alarmNamesIn } from './speech.ts'

/** How a merchant's alarms are handled, as filtered and sorted. */
export const alarmSettingsSource = given<
  'alarmSettings',
  'name' | 'code' | 'criticity' | 'enabled' | 'mailFrom' | 'delayMinutes' | 'toPeople' | 'addresses' | 'origin'
>({
  fields: {
    name: 'text',
    code: 'text',
    criticity: 'bigint',
    enabled: 'boolean',
    mailFrom: 'text',
    delayMinutes: 'bigint',
    toPeople: 'boolean',
    addresses: 'text',
    origin: 'text',
  },
  columns: {
    code: {
      alarm: { heading: 'alarm-setting:column.alarm', kind: 'text', sql: sql`r.name` },
      code: { heading: 'alarm:fact.code', kind: 'text', sql: sql`r.code` },
    },
    criticity: {
      criticity: {
        heading: 'alarm-setting:field.criticity',
        kind: 'word',
        of: 'alarmCriticity',
        sql: sql`r.criticity`,
      },
    },
    enabled: { enabled: { heading: 'alarm-setting:field.enabled', kind: 'flag', sql: sql`r.enabled` } },
    mailFrom: { mailFrom: { heading: 'alarm-setting:field.mailFrom', kind: 'text', sql: sql`r."mailFrom"` } },
    delayMinutes: { delay: { heading: 'export:column.delay', kind: 'number', sql: sql`r."delayMinutes"` } },
    recipients: {
      toPeople: { heading: 'alarm-setting:field.toPeople', kind: 'flag', sql: sql`r."toPeople"` },
      addresses: { heading: 'alarm-setting:field.addresses', kind: 'text', sql: sql`r.addresses` },
    },
    origin: {
      origin: { heading: 'alarm-setting:column.origin', kind: 'word', of: 'settingOrigin', sql: sql`r.origin` },
    },
  },
  rowsOf: async (db, { filter, ord, ordType, language }) => {
    const [pair, ...others] = db.scope
    // They are one merchant's, as on the screen.
    if (!pair || others.length > 0) throw new ProductError('MerchantNotFoundException')
    const { merchantId } = pair
    const [say, vocabulary, alarmName] = [
      wordsIn(language, 'alarm-setting'),
      wordsIn(language, 'vocabulary'),
      alarmNamesIn(language),
    ]
    const gravity = Object.fromEntries(
      Object.entries(alarmCriticities).map(([name, code]) => [code, vocabulary(`alarmCriticity.${name}`)]),
    )
    return (await settingsMatching(db, merchantId, { ...filter, ord, ordType })).map((row) => ({
      merchantId,
      name: row.code === anyCode ? say('allOthers') : alarmName(row.code),
      code: row.code,
      criticity: row.criticity ?? row.ownCriticity,
      enabled: row.enabled,
      mailFrom: row.mailFrom === null ? say('never') : gravity[row.mailFrom],
      delayMinutes: row.mailFrom === null ? null : row.delayMinutes,
      toPeople: row.toPeople,
      addresses: row.addresses.join('; '),
      origin: row.origin,
    }))
  },
})
