import type { Alarm } from '#contract/alarms/alarm.ts'
import { isAcknowledged } from '#domain/alarms/alarm-care.ts'
import { instantOf } from '#portal/app/i18n/format.ts'
import { useNow } from '#portal/ui/time/When.tsx'

/** Whether an alarm is acknowledged now. */
export function useIsAcknowledged({ acknowledgedUntil }: Pick<Alarm, 'acknowledgedUntil'>): boolean {
  const now = useNow()
  return isAcknowledged({ acknowledgedUntil: instantOf(acknowledgedUntil) ?? null }, now)
}
