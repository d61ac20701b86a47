import { useTranslation } from 'react-i18next'
import { tokenPermissions } from '#contract/merchants/api-token.ts'
import { pricesSyncs } from '#contract/merchants/merchant-settings.ts'
import { tokenScopeNames } from '#contract/merchants/token-scope.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { roles } from '#contract/vocabulary/roles.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type Language, languageNames } from '#contract/vocabulary/world/languages.ts'
import { rechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { useSettingWords } from '#portal/features/alarms/alarm-setting/useSettingWords.ts'
import { useCommandName } from '#portal/features/commands/remote-command/commandNames.ts'
import { typeNameOf } from '#portal/features/machines/machine/machineFacts.ts'
import { useScopeName } from '#portal/features/merchants/settings/useScopeName.ts'
import { clockOf } from '#portal/ui/time/clock.ts'
import { commandResultLooks, commandStatusLooks } from '#portal/ui/value/looks.ts'
import type { Value } from './differences.ts'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const day = /^\d{4}-\d\d-\d\d$/
const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value)

/** Amounts in minor units, and what they are of. */
const amounts = ['amount', 'credit', 'bonus']
const subjectsWithAmounts = ['media', 'refund', 'round']

/** The context of values: a currency where there is one, a zone, and names by id. */
export interface ValueContext {
  subjectType: string
  currency: string | undefined
  timeZone: string
  names: Record<string, string>
}

/** Formats the values of a change: money in its currency, instants in the merchant's zone, references by name, missing values as such. */
export function useChangeValue({
  subjectType,
  currency,
  timeZone,
  names,
}: ValueContext): (field: string, value: Value) => string {
  const { t } = useTranslation(['change-log', 'settings', 'user', 'shell', 'vocabulary'])
  const format = useFormat()
  const isUser = subjectType === 'user'
  const hasAmounts = subjectsWithAmounts.includes(subjectType)
  const { criticityName } = useSettingWords()
  const alarmName = useAlarmName()
  const commandName = useCommandName()
  const scopeName = useScopeName()

  const text = (value: string): string => {
    const name = names[value]
    if (name !== undefined) return name
    if (day.test(value)) return format.day(value)
    if (isOneOf(roles, value)) return t(`shell:roles.${value}`)
    if (isOneOf(tokenPermissions, value)) return t(`settings:permission.${value}`)
    if (isOneOf(tokenScopeNames, value)) return scopeName(value)
    if (isOneOf(pricesSyncs, value)) return t(`settings:pricesSync.${value}`)
    const at = instant.test(value) ? instantOf(value) : undefined
    return at ? format.instant(at, 'exact', timeZone) : value
  }
  /** Coded fields of users. */
  const codes: Record<string, (code: string) => string> = {
    role: (role) => t(`shell:roles.${role}`, { defaultValue: role }),
    status: (status) => t(`user:status.${status}`, { defaultValue: status }),
    language: (language) => (language in languageNames ? languageNames[language as Language] : language),
    groups: () => t('user:allGroups'),
  }
  /** Coded fields of alarms and commands. */
  const codedText = (field: string, value: string | number): string | undefined => {
    if (subjectType === 'remoteCommand' && typeof value === 'number') {
      if (field === 'type') return commandName(value)
      if (field === 'status' && value in commandStatusLooks)
        return t(commandStatusLooks[value as keyof typeof commandStatusLooks].word)
      if (field === 'result' && value in commandResultLooks)
        return t(commandResultLooks[value as keyof typeof commandResultLooks].word)
    }
    if (subjectType === 'alarm' && typeof value === 'string') {
      if (field === 'code') return alarmName(value)
      const table = { status: 'alarmStatus', category: 'alarmCategory', source: 'alarmSource' }[field]
      if (table) return t(`vocabulary:${table}.${value}`, { defaultValue: value })
    }
    if (subjectType === 'media' && field === 'status' && typeof value === 'number')
      return t(`vocabulary:mediaStatus.${nameOf(mediaStatuses, value)}`, { defaultValue: value })
    if (subjectType === 'refund' && field === 'kind')
      return t(`vocabulary:refundKind.${value}`, { defaultValue: value })
    if (field === 'deviceType') return typeNameOf(String(value))
    return undefined
  }
  const say = (field: string, value: Value): string => {
    if (value === undefined || value === null || value === '') return '–'
    const word = typeof value === 'string' || typeof value === 'number' ? codedText(field, value) : undefined
    if (word !== undefined) return word
    if (field === 'quietHours' && typeof value === 'object' && !Array.isArray(value))
      return `${clockOf(Number(value.from))}–${clockOf(Number(value.to))}`
    if (typeof value === 'boolean') return t(value ? 'change-log:yes' : 'change-log:no')
    if (typeof value === 'number') {
      if (
        (field === 'maximumRefund' ||
          field === 'commissionPerVend' ||
          (rechargeLimits as readonly string[]).includes(field) ||
          (hasAmounts && amounts.includes(field))) &&
        currency
      )
        return format.money(value, currency as Currency)
      if (field === 'criticity' || field === 'mailFrom') return criticityName(value, 'never')
      return format.number(value, { maximumFractionDigits: 6 })
    }
    if (field === 'commissionKind') return t(`client:commissionKind.${value}`, { defaultValue: value })
    if (field === 'sector') return t(`vocabulary:posSector.${value}`, { defaultValue: value })
    if (typeof value === 'string') return isUser && codes[field] ? codes[field](value) : text(value)
    if (Array.isArray(value)) return value.length === 0 ? '–' : value.map((one) => say('', one)).join(', ')
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${say(name, one)}`)
      .join('\n')
  }
  return say
}
