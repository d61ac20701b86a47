import { useTranslation } from 'react-i18next'
import { type Customer, customerColumns, customerOrds, customers } from '#contract/cashless/customer.ts'
import { whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { placeOfCustomer } from '../media/placeOfMedia.ts'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: Customer) => placeOfCustomer(id)
const consents = ['consentAnalysis', 'consentCommunications', 'consentQuality'] as const

const columns = (say: Say): Column<Customer>[] => {
  const { t } = say
  const consent = (name: (typeof consents)[number]) => ({
    name: t(`customer:field.${name}`),
    cell: (customer: Customer) => {
      const at = customer[`${name}At`]
      const given = t(customer[name] ? 'customer:given' : 'customer:notGiven')
      return (
        <>
          {given}
          {at && (
            <>
              {' · '}
              <When at={at} timeZone={customer.timeZone} />
            </>
          )}
        </>
      )
    },
  })
  return recordColumns<Customer>(customerColumns, customerOrds, {
    hidden: ['phone', 'credit30Days', ...consents, 'createdAt'],
    lines: ['email'],
    looks: {
      lastUsedAt: { card: 'aside' },
      ...(Object.fromEntries(consents.map((name) => [name, consent(name)])) as Record<
        string,
        Partial<Column<Customer>>
      >),
    },
  })(say)
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
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'customer.write', does: { to: '/customers-medias/customers/create' } }}
      exports="customers"
    />
  )
}
