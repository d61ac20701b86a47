import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import {
  type PlannedPrice,
  type PricePlan,
  plannedPriceColumns,
  plannedPriceOrds,
  pricePlans,
} from '#contract/catalogue/price-plan.ts'
import { plannedPriceStatuses } from '#contract/vocabulary/catalogue/price.ts'
import { useCommand } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import type { Place } from '#portal/app/place.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { tableWord } from '../price/machinePrice.ts'
import { plannedPriceLooks, pricePlanLooks } from '../price/priceLooks.ts'

const order = { ord: 'posName', ordType: 'ASC' } as const
const placeOf = ({ posId, selection }: PlannedPrice): Place => ({
  to: '/devices/$posId/prices',
  params: { posId },
  search: { selection },
})

const columns = recordColumns<PlannedPrice>(plannedPriceColumns, plannedPriceOrds, ({ t }: Say) => ({
  hidden: ['startsAt'],
  lines: ['selection', 'product', 'before', 'price'],
  statuses: { plannedPriceStatus: plannedPriceLooks },
  looks: { priceTable: { cell: ({ priceTable }) => t(tableWord(priceTable)) } },
}))

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('price-plan:filter.machine') },
  anyOf('statuses', t('price-plan:column.status'), plannedPriceStatuses, (one) =>
    t(`vocabulary:plannedPriceStatus.${one}`),
  ),
]

/** A plan with each of its prices; what has not started is cancelled as a whole. */
export default function PricePlanScreen() {
  const { t } = useTranslation('price-plan')
  const format = useFormat()
  const answer = useRecord(pricePlans.getPricePlan, 'pricePlanId')
  const plan = answer.data
  const fixed = useMemo(() => ({ pricePlanIds: plan ? [plan.id] : [] }), [plan])
  return (
    <DetailScreen
      query={answer}
      merchantId={plan?.merchantId}
      title={plan && (plan.name ?? t('from', { day: format.day(plan.startsOn) }))}
      aside={plan && <StatusBadge of={pricePlanLooks} value={plan.status} />}
      subtitle={plan && <Facts plan={plan} />}
      actions={plan && <Cancel plan={plan} />}
    >
      {plan && (
        <ListScreen
          id="plannedPrices"
          isEmbedded
          title={t('prices')}
          row={pricePlans.listPlannedPrices}
          fixed={fixed}
          columns={columns}
          filters={filters}
          order={order}
          placeOf={placeOf}
          exports="plannedPrices"
          empty={{ title: t('none') }}
        />
      )}
    </DetailScreen>
  )
}

function Facts({ plan }: { plan: PricePlan }) {
  const { t } = useTranslation(['price-plan', 'price-change', 'ui'])
  const format = useFormat()
  const many = (count: number) => ({ count, number: format.number(count) })
  const day = (instant: string) => format.instant(instantOf(instant) as Date, 'day', plan.timeZone)
  return [
    t('price-plan:from', { day: format.day(plan.startsOn, 'weekday') }),
    t('price-plan:of', {
      prices: t('price-change:preview.prices', many(plan.prices)),
      machines: t('price-change:preview.machines', many(plan.machines)),
    }),
    t(plan.send ? 'price-plan:isSent' : 'price-plan:isNotSent'),
    t('price-plan:by', { name: plan.createdBy ?? t('ui:provider'), day: day(plan.createdAt) }),
    ...(plan.cancelledAt
      ? [t('price-plan:cancelledBy', { name: plan.cancelledBy ?? t('ui:provider'), day: day(plan.cancelledAt) })]
      : []),
  ].join(' · ')
}

function Cancel({ plan }: { plan: PricePlan }) {
  const { t } = useTranslation(['price-plan', 'price-change'])
  const format = useFormat()
  const { me } = useSession()
  const { ask, dialog } = useConfirm()
  const many = (count: number) => ({ count, number: format.number(count) })
  const cancel = useCommand(pricePlans.cancelPricePlan, {
    says: ({ cancelled }) => ({ key: 'price-plan:cancel.done', values: many(cancelled) }),
  })
  if (plan.open === 0 || !me || !roleMay(me.role, 'price.write')) return null
  const params = { merchantId: plan.merchantId, pricePlanId: plan.id }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconX size={15} aria-hidden />}
        onClick={() =>
          ask({
            title: t('price-plan:cancel.title', many(plan.open)),
            consequence: t('price-plan:cancel.consequence', {
              prices: t('price-change:preview.prices', many(plan.open)),
              machines: t('price-change:preview.machines', many(plan.openMachines)),
            }),
            confirm: t('price-plan:cancel.do', many(plan.open)),
            dismiss: { how: 'keep', count: plan.open },
            isDanger: true,
            act: () => cancel.mutateAsync({ params }),
          })
        }
      >
        {t('price-plan:cancel.do', many(plan.open))}
      </Button>
      {dialog}
    </>
  )
}
