import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Client, clientColumns, clientOrds, clients } from '#contract/merchants/client.ts'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import { countries } from '#contract/vocabulary/world/countries.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { useCountryOptions } from '#portal/ui/form/choices/countryNames.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: Client) => ({
  to: '/manage/clients/$clientId',
  params: { clientId: id },
})

/** The agreed commission; nothing without one. */
function Commission({ merchantId, commissionKind, commissionPercent, commissionPerVend }: Client) {
  const { t } = useTranslation('client')
  const { percent } = useFormat()
  const { currency } = useMerchantOf(merchantId)
  if (commissionKind === 'percent') return percent((commissionPercent ?? 0) / 100, 2)
  if (commissionKind === 'none' || !currency) return null
  return (
    <>
      <Amount minor={commissionPerVend} currency={currency} /> {t('commissionKind.perVend')}
    </>
  )
}

const hidden = 'companyName sector zipCode province country vatCode contactEmail website commission createdAt'.split(
  ' ',
)
const columns = recordColumns<Client>(clientColumns, clientOrds, {
  lines: ['code', 'city'],
  hidden,
  offCards: ['address'],
  looks: {
    commission: {
      number: undefined,
      unit: undefined,
      cell: (client) => <Commission {...client} />,
    },
  },
})

/** The clients that host the merchant's machines. */
export default function ClientListScreen() {
  const { t } = useTranslation(['client', 'vocabulary'])
  const options = useCountryOptions()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      { key: 'countries', kind: 'multi', name: t('filter.country'), values: countries, options },
      anyOf('sectors', t('client:field.sector'), posSectors, (value) => t(`vocabulary:posSector.${value}`)),
      whether('hasMachines', t('filter.machines'), t('filter.withMachines'), t('filter.withoutMachines')),
    ],
    [t, options],
  )
  return (
    <ListScreen
      id="clients"
      words="client"
      row={clients.listClients}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'client.write', does: { to: '/manage/clients/create' } }}
      exports="clients"
    />
  )
}
