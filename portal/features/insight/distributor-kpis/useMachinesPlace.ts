import { useAddressQuery } from '#portal/app/go.ts'
import type { Place } from '#portal/app/place.ts'
import { manyOf } from '#portal/app/search.ts'

const sharedParameters = ['days', 'period', 'startDate', 'endDate', 'groupIds', 'deviceTypes'] as const

/** The list of the machines behind a figure: of the same interval and filters, and of some of them. */
export function useMachinesPlace() {
  const search = useAddressQuery()
  const here = Object.fromEntries(
    sharedParameters.map((key) => [key, manyOf(search, key)]).filter(([, values]) => values?.length),
  )
  return (some: Record<string, string | string[]> = {}): Place => ({
    to: '/distributor-kpis',
    search: { ...here, view: 'machines', ...some },
  })
}
