import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type MasterAlarm, masterAlarms } from '#contract/alarms/troubleshooting.ts'
import { codesOfGuide } from '#domain/alarms/troubleshooting.ts'
import { queryOf } from '#portal/app/api.ts'

const written = { isWritten: 'true', page: 1, size: 500 } as const
const codesIn = ({ items }: { items: readonly MasterAlarm[] }) => new Set(items.map(({ code }) => code))
/** Troubleshooting texts rarely change. */
const staleTime = 5 * 60_000

/** Whether an alarm code has a troubleshooting text in any language. */
export function useHasGuide(): (code: string) => boolean {
  const { data } = useQuery({
    ...queryOf(masterAlarms.listMasterAlarms, { query: written }),
    select: codesIn,
    staleTime,
  })
  return useCallback((code: string) => codesOfGuide(code).some((one) => data?.has(one)), [data])
}
