import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type MasterAlarm, masterAlarms } from '#contract/alarms/troubleshooting.ts'
import { codesOfGuide } from '#domain/alarms/troubleshooting.ts'
import { queryOf } from '#portal/app/api.ts'

const written = { isWritten: 'true', page: 1, size: 500 } as const
const codesIn = ({ items }: { items: readonly MasterAlarm[] }) => new Set(items.map(({ code }) => code))
/** They are written now and then. */
const staleTime = 5 * 60_000

/** Whether it is said, in any language, what to do about an alarm of a code. */
export function useHasGuide(): (code: string) => boolean {
  const { data } = useQuery({
    ...queryOf(masterAlarms.listMasterAlarms, { query: written }),
    select: codesIn,
    staleTime,
  })
  return useCallback((code: string) => codesOfGuide(code).some((one) => data?.has(one)), [data])
}
