import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Claim, claimColumns, claimOrds, claimPayments, claimStates, claims } from '#contract/key-portal/claim.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { useMachineFilter } from '#portal/ui/list/filters/useMachineFilter.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter, View } from '#portal/ui/list/types.ts'
import { claimLooks } from './claimLooks.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const placeOf = ({ id }: Claim) => ({ to: '/customers-medias/claims/$claimId', params: { claimId: id } })

const columns = recordColumns<Claim>(claimColumns, claimOrds, {
  title: 'posName',
  aside: 'amount',
  lines: ['number', 'paidBy', 'text'],
  hidden: ['selection', 'mediaSerial', 'happenedAt', 'answer', 'answeredBy'],
  statuses: { claimState: claimLooks },
  looks: { number: { align: undefined, isFixed: true }, posName: { isFixed: undefined } },
})

/** Claims of customers whose money a machine kept. */
export default function ClaimListScreen() {
  const { t } = useTranslation('claim')
  const machine = useMachineFilter(t('field.machine'))
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      { key: 'period', kind: 'period', name: t('filter.period') },
      anyOf('states', t('field.state'), claimStates, (state) => t(`state.${state}`)),
      anyOf('paidBy', t('field.paidBy'), claimPayments, (payment) => t(`payment.${payment}`)),
      machine,
    ],
    [t, machine],
  )
  const views = useMemo((): View[] => [{ id: 'open', name: t('state.open'), filters: { states: ['open'] } }], [t])
  return (
    <ListScreen
      id="claims"
      words="claim"
      row={claims.listClaims}
      columns={columns}
      filters={filters}
      order={order}
      views={views}
      placeOf={placeOf}
      exports="claims"
      create={{ name: t('new.do'), needs: 'refund.write', does: { to: '/customers-medias/claims/create' } }}
    />
  )
}
