import { useTranslation } from 'react-i18next'
import {
  type WebPaymentService,
  webPaymentServiceColumns,
  webPaymentServiceOrds,
  webPaymentServices,
} from '#contract/cashless/web-payment-service.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { webPaymentTypes } from '#contract/vocabulary/web-payment.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: WebPaymentService) => ({
  to: '/admin/webpayment-services/$webPaymentServiceId',
  params: { webPaymentServiceId: id },
})
const typeName = (type: number) => nameOf(webPaymentTypes, type) ?? String(type)

const columns = recordColumns<WebPaymentService>(webPaymentServiceColumns, webPaymentServiceOrds, {
  lines: ['type', 'url'],
  looks: { type: { cell: ({ type }) => typeName(type) } },
})
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('web-payment-service:filter.search') },
  anyOf('types', t('web-payment-service:field.type'), Object.values(webPaymentTypes), typeName),
]

/** The payment services that merchants are offered. */
export default function WebPaymentServiceListScreen() {
  const { t } = useTranslation('web-payment-service')
  const does = { to: '/admin/webpayment-services/create' }
  return (
    <ListScreen
      id="webPaymentServices"
      words="web-payment-service"
      row={webPaymentServices.listWebPaymentServices}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'webPaymentService.write', does }}
    />
  )
}
