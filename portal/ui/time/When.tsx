import { useSyncExternalStore } from 'react'
import { dayIn } from '#domain/time/period.ts'
import { type InstantStyle, instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'

// One clock for the page: every relative time moves together, twice a minute.
let now = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  if (!timer) {
    // The clock was paused without subscribers. React reads it once more after this.
    now = new Date()
    timer = setInterval(() => {
      now = new Date()
      for (const each of listeners) each()
    }, 30_000)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}
/** The current time, to half a minute. */
export const useNow = () => useSyncExternalStore(subscribe, () => now)
/** The same, but exact after an instant that has just passed: what began a moment ago is not still to come. */
export function useNowSince(instant: Date | undefined): Date {
  const tick = useNow()
  return instant && tick < instant ? new Date() : tick
}
/** The current calendar day in a zone. */
export const useToday = (timeZone: string) => useSyncExternalStore(subscribe, () => dayIn(now, timeZone))

interface Props {
  /** The wire's instant: UTC, ISO 8601 without a zone. */
  at: string | null | undefined
  /** `relative` ("32 min ago", the default) shows the exact time on hover; the other formats write it out. */
  as?: 'relative' | InstantStyle
  /** IANA zone; the merchant's by default. */
  timeZone?: string
}

/** A time in the merchant's zone. Empty for null and for 0001-01-01. */
export function When({ at, as = 'relative', timeZone }: Props) {
  const format = useFormat()
  const merchant = useMerchant()
  const date = instantOf(at)
  if (!date) return null
  const zone = timeZone ?? merchant.timeZone
  const exact = `${format.instant(date, 'exact', zone)} ${zone}`
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {as === 'relative' ? <Relative date={date} /> : format.instant(date, as, zone)}
    </time>
  )
}

function Relative({ date }: { date: Date }) {
  const format = useFormat()
  return format.relative(date, useNowSince(date))
}
