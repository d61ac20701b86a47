import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Claim, claimColumns, claimOrds, claimPayments, claimStates, claims } from '#contract/key-portal/claim.ts'
import { useMachineOptions } from '#portal/features/sales/transaction/useMachineOptions.ts'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter, View } from '#portal/ui/list/types.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { claimLooks } from './claimLooks.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const placeOf = ({ id }: Claim) => ({ to: '/customers-medias/claims/$claimId', params: { claimId: id } })

const columns = (say: Say) =>
  recordColumns<Claim>(claimColumns, claimOrds, {
    hidden: ['selection', 'mediaSerial', 'happenedAt', 'answer', 'answeredBy'],
    lines: ['text'],
    looks: {
      // Cast: columns know no start, their default; here it takes back the end of a number.
      number: { align: 'start' as never, card: 'line' },
      posName: { card: 'title', label: ({ posName }) => posName },
      state: { card: 'badge', cell: ({ state }) => <StatusBadge of={claimLooks} value={state} /> },
      amount: { card: 'aside' },
      paidBy: { card: 'line', cell: ({ paidBy }) => say.t(`claim:payment.${paidBy}`) },
    },
  })(say)

/** Claims of customers whose money a machine kept. */
export default function ClaimListScreen() {
  const { t } = useTranslation('claim')
  const machines = useMachineOptions()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      { key: 'period', kind: 'period', name: t('filter.period') },
      anyOf('states', t('field.state'), claimStates, (state) => t(`state.${state}`)),
      anyOf('paidBy', t('field.paidBy'), claimPayments, (payment) => t(`payment.${payment}`)),
      ...anyKnown('posIds', t('field.machine'), machines),
    ],
    [t, machines],
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
    />
  )
}
