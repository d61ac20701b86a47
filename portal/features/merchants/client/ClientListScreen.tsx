import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Client, clients } from '#contract/merchants/client.ts'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import { countries } from '#contract/vocabulary/world/countries.ts'
import { useCountryOptions } from '#portal/ui/form/fields/countryNames.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { useClientColumns } from './useClientColumns.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: Client) => ({
  to: '/manage/clients/$clientId',
  params: { clientId: id },
})

/** Whom the merchant's machines stand at. */
export default function ClientListScreen() {
  const { t } = useTranslation(['client', 'vocabulary'])
  const options = useCountryOptions()
  const columns = useClientColumns()
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
