import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machines/machine.ts'
import { pagedQueryOf } from '#portal/app/api.ts'
import { useOfferedFilters } from '#portal/app/feature.ts'
import { useAsked } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { queryOfState, readListState } from '#portal/ui/list/state/listState.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import { ErrorState } from '#portal/ui/page/ErrorState.tsx'
import { lazyPart, Part } from '#portal/ui/page/lazyPart.tsx'
import classes from './MachineList.module.css'
import { placeOfMachine, placeOfMachines } from './places.ts'

const MachineMap = lazyPart(async () => ({ default: (await import('#portal/ui/map/MachineMap.tsx')).MachineMap }))

const height = 400

/** The machines that match the list's filters, on a map above the list. */
export function MachinesMap({ filters: all }: { filters: readonly Filter[] }) {
  const filters = useOfferedFilters(machines.mapMachines, all)
  const { t } = useTranslation('machine')
  const merchant = useMerchant()
  const search = useAsked()
  const query = useMemo(() => {
    const rules = { ords: [], filters }
    const { page: _, size: __, ...filter } = queryOfState(readListState(search, rules), rules, noPeriod)
    return filter
  }, [search, filters])
  const answer = useQuery(pagedQueryOf(machines.mapMachines, { params: { merchantId: merchant.id }, query }))
  return (
    <section className={classes.map} aria-label={t('list.map')}>
      {answer.error && !answer.data ? (
        <ErrorState error={answer.error} retry={answer.refetch} />
      ) : (
        answer.data && (
          <Part>
            <MachineMap points={answer.data} placeOf={placeOfMachine} placeOfMany={placeOfMachines} height={height} />
          </Part>
        )
      )}
    </section>
  )
}

/** The list has no filter of a period. */
const noPeriod = () => ({ startDate: '', endDate: '' })
