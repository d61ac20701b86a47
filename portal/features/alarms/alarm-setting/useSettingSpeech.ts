import { useTranslation } from 'react-i18next'
import {
  type AlarmRecipient,
  EditedAlarmSetting,
  type EditedAlarmSetting as Values,
} from '#contract/alarms/alarm-setting.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { clockOf, weekdays } from '#portal/ui/time/clock.ts'
import { useSettingWords } from './useSettingWords.ts'

type Field = keyof Values
const fields = Object.keys(EditedAlarmSetting.shape) as Field[]

/** Field names and values for a conflict between two users; `unknown` is shown for a user who is not listed. */
export function useSettingSpeech(people: readonly AlarmRecipient[], unknown: string) {
  const { t } = useTranslation('alarm-setting')
  const format = useFormat()
  const { criticityName } = useSettingWords()
  const names = Object.fromEntries(fields.map((name) => [name, t(`field.${name}`)])) as Record<Field, string>
  const nameOf = (id: string) => people.find((one) => one.id === id)?.name ?? unknown
  const quiet = ({ from, to, days }: NonNullable<Values['quietHours']>) =>
    `${clockOf(from)}–${clockOf(to)}, ${days.map((day) => weekdays(format.locale)[day - 1]).join(' ')}`
  const say = (field: string, value: unknown): string => {
    if (field === 'mailFrom') return criticityName(value as number | null, 'never')
    if (field === 'criticity') return criticityName(value as number | null, 'itsOwn')
    if (value === null) return t('unset')
    if (field === 'quietHours') return quiet(value as NonNullable<Values['quietHours']>)
    if (field === 'escalationPeople') return (value as string[]).map(nameOf).join(', ')
    if (Array.isArray(value)) return value.join(', ')
    if (typeof value === 'boolean') return t(value ? 'on' : 'off')
    return typeof value === 'number' ? format.number(value) : String(value)
  }
  return { names, say }
}
