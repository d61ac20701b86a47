import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type WebPaymentOrderRow,
  webPaymentOrderColumns,
  webPaymentOrderOrds,
  webPaymentOrders,
} from '#contract/cashless/web-payment-order.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { webPaymentKinds, webPaymentResults, webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { NewLinkButton } from './NewLinkButton.tsx'
import { orderLooks, resultOf } from './orderLooks.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const placeOf = ({ id }: WebPaymentOrderRow) => ({
  to: '/transactions/webpayment-order-details/$webPaymentOrderId',
  params: { webPaymentOrderId: id },
})
const toneOf = ({ findings }: WebPaymentOrderRow) => (findings > 0 ? 'crit' : undefined)

const columns = recordColumns<WebPaymentOrderRow>(webPaymentOrderColumns, webPaymentOrderOrds, {
  hidden: ['reversedAmount', 'processedAt', 'description'],
  lines: ['kind', 'mediaSerial'],
  aside: 'createdAt',
  offCards: ['transactionNumber'],
  looks: {
    result: { card: 'badge', cell: (row) => <StatusBadge of={orderLooks} value={resultOf(row)} /> },
    findings: { cell: ({ findings }) => findings || null },
    transactionNumber: { width: 220 },
  },
})
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('web-payment-order:filter.search') },
  { key: 'period', kind: 'period', name: t('web-payment-order:filter.period') },
  anyOf('results', t('web-payment-order:column.result'), webPaymentResults, (name) =>
    t(`vocabulary:webPaymentResult.${name}`),
  ),
  anyOf('kinds', t('web-payment-order:column.kind'), webPaymentKinds, (kind) => t(`vocabulary:webPaymentKind.${kind}`)),
  anyOf('serviceTypes', t('web-payment-order:filter.provider'), Object.values(webPaymentTypes), (type) =>
    nameOf(webPaymentTypes, type),
  ),
  whether(
    'hasFindings',
    t('web-payment-order:column.findings'),
    t('web-payment-order:filter.withFindings'),
    t('web-payment-order:filter.withoutFindings'),
  ),
]

/** Payments and recharges on the web, with what their providers reported. */
export default function WebPaymentOrderListScreen() {
  const { t } = useTranslation(['web-payment-order', 'vocabulary'])
  const views = useMemo(
    () =>
      Object.entries(webPaymentResults).map(([result, number]) => ({
        id: result,
        name: t(`vocabulary:webPaymentResult.${result}`),
        filters: { results: [String(number)] },
      })),
    [t],
  )
  return (
    <ListScreen
      id="webPaymentOrders"
      words="web-payment-order"
      row={webPaymentOrders.listWebPaymentOrders}
      columns={columns}
      filters={filters}
      order={order}
      views={views}
      placeOf={placeOf}
      toneOf={toneOf}
      exports="webPaymentOrders"
      actions={<NewLinkButton />}
    />
  )
}
