import { useTranslation } from 'react-i18next'
import { tokenPermissions } from '#contract/api-token.ts'
import { pricesSyncs } from '#contract/merchant-settings.ts'
import type { Currency } from '#contract/vocabulary/currencies.ts'
import { formatMoney } from '#domain/money.ts'
import { instantOf, useFormat } from '../../app/i18n/format.ts'
import { clockOf } from '../alarm-setting/quietClock.ts'
import { useSettingWords } from '../alarm-setting/useSettingWords.ts'
import type { Value } from './differences.ts'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const day = /^\d{4}-\d\d-\d\d$/
const isOneOf = (values: readonly string[], value: string) => values.includes(value)

/** Of what they are, and how values are said: in a currency where there is one, in a zone, and what is called how by its id. */
export interface Told {
  subjectType: string
  currency: string | undefined
  timeZone: string
  names: Record<string, string>
}

/** Says the values of a change in words: money in its currency, instants in the merchant's zone, groups and the like by their names, what is not there as such. */
export function useChangeValue({
  subjectType,
  currency,
  timeZone,
  names,
}: Told): (field: string, value: Value) => string {
  const { t } = useTranslation(['change-log', 'settings', 'user', 'shell'])
  const format = useFormat()
  const isOfPerson = subjectType === 'user'
  const { criticityName } = useSettingWords()

  const text = (value: string): string => {
    const name = names[value]
    if (name !== undefined) return name
    if (day.test(value)) return format.day(value)
    if (isOneOf(tokenPermissions, value)) return t(`settings:permission.${value}`)
    if (isOneOf(pricesSyncs, value)) return t(`settings:pricesSync.${value}`)
    const at = instant.test(value) ? instantOf(value) : undefined
    return at ? format.instant(at, 'exact', timeZone) : value
  }
  /** What a field of a person says by a code. */
  const codes: Record<string, (code: string) => string> = {
    role: (role) => t(`shell:roles.${role}`, { defaultValue: role }),
    status: (status) => t(`user:status.${status}`, { defaultValue: status }),
    language: (language) => t(`shell:languages.${language}`, { defaultValue: language }),
    groups: () => t('user:allGroups'),
  }
  const say = (field: string, value: Value): string => {
    if (value === undefined || value === null || value === '') return '–'
    if (field === 'quietHours' && typeof value === 'object' && !Array.isArray(value))
      return `${clockOf(Number(value.from))}–${clockOf(Number(value.to))}`
    if (typeof value === 'boolean') return t(value ? 'change-log:yes' : 'change-log:no')
    if (typeof value === 'number') {
      if (field === 'maximumRefund' && currency) return formatMoney(value, currency as Currency)
      if (field === 'criticity' || field === 'mailFrom') return criticityName(value, 'never')
      return format.number(value, { maximumFractionDigits: 6 })
    }
    if (typeof value === 'string') return isOfPerson && codes[field] ? codes[field](value) : text(value)
    if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one) => say('', one)).join(', ')
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${say(name, one)}`)
      .join('\n')
  }
  return say
}
