import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { describeAlarm } from '#domain/alarms/alarm-kind.ts'

/**
 * The name of an alarm or event code: `ENE` is "Bill box full", `EJC_12` "Spiral blocked (12)". A maker's own code is
 * shown unchanged. `t` reads the words of `machine-event.json`.
 */
export function alarmNameOf(code: string, t: (key: string) => string): string {
  const { name, detail } = describeAlarm(code)
  if (!name) return code
  const words = t(`machine-event:${name}`)
  return detail ? `${words} (${detail})` : words
}

/** The same in the reader's language; the screen lists `machine-event` among its words. */
export function useAlarmName(): (code: string) => string {
  const { t } = useTranslation('machine-event')
  return useCallback((code: string) => alarmNameOf(code, t), [t])
}
