import { useTranslation } from 'react-i18next'
import { type Customer, customerColumns, customerOrds, customers } from '#contract/cashless/customer.ts'
import { whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { placeOfCustomer } from '../../../ui/value/placeOfMedia.ts'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: Customer) => placeOfCustomer(id)
const consents = ['consentAnalysis', 'consentCommunications', 'consentQuality'] as const

const columns = recordColumns<Customer>(customerColumns, customerOrds, ({ t }: Say) => ({
  hidden: ['phone', 'credit30Days', ...consents, 'createdAt'],
  lines: ['email'],
  aside: 'lastUsedAt',
  looks: Object.fromEntries(
    consents.map((name) => [
      name,
      {
        cell: (customer: Customer) => (
          <>
            {t(customer[name] ? 'customer:given' : 'customer:notGiven')}
            <ConsentAt customer={customer} name={name} />
          </>
        ),
      },
    ]),
  ),
}))

/** When a customer gave or took back a consent. */
function ConsentAt({ customer, name }: { customer: Customer; name: (typeof consents)[number] }) {
  const at = customer[`${name}At`]
  return (
    at && (
      <>
        {' · '}
        <When at={at} timeZone={customer.timeZone} />
      </>
    )
  )
}

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('customer:filter.search') },
  whether('hasMedias', t('customer:field.medias'), t('customer:filter.withMedias'), t('customer:filter.withoutMedias')),
  ...consents.map((name) => whether(name, t(`customer:field.${name}`), t('customer:given'), t('customer:notGiven'))),
]

/** The merchant's customers: holders of media. */
export default function CustomerListScreen() {
  const { t } = useTranslation('customer')
  return (
    <ListScreen
      id="customers"
      words="customer"
      row={customers.listCustomers}
      totalsRow={customers.totalCustomers}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'customer.write', does: { to: '/customers-medias/customers/create' } }}
      exports="customers"
    />
  )
}
