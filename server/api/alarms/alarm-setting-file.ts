import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { exportValues } from '../../export/given.ts'
import { alarmNamesIn } from '../../export/speech.ts'
import { wordsIn } from '../../words/words.ts'
import { settingsMatching } from './alarm-setting.ts'

/** The effective alarm settings of a merchant, filtered and sorted. */
export const alarmSettingsSource = exportValues<
  'alarmSettings',
  'name' | 'code' | 'criticity' | 'enabled' | 'mailFrom' | 'delayMinutes' | 'toPeople' | 'addresses' | 'origin'
>({
  list: 'alarmSettings',
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
  values: {
    alarm: sql`r.name`,
    delay: sql`r."delayMinutes"`,
  },
  rowsOf: async (db, { filter, ord, ordType, language }) => {
    const [pair, ...others] = db.scope
    // Settings belong to one merchant, as on the screen.
    if (!pair || others.length > 0) throw new ProductError('MerchantNotFoundException')
    const { merchantId } = pair
    const say = wordsIn(language, 'alarm-setting')
    const vocabulary = wordsIn(language, 'vocabulary')
    const alarmName = alarmNamesIn(language)
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
