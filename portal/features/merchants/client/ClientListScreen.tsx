import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Client, clients } from '#contract/merchants/client.ts'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import { countries } from '#contract/vocabulary/world/countries.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { useCountryOptions } from '#portal/ui/form/fields/countryNames.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { useClientColumns } from './useClientColumns.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const keyOf = ({ id }: Client) => id
const placeOf = ({ id }: Client) => ({
  to: '/manage/clients/$clientId',
  params: { clientId: id },
})

/** Whom the merchant's machines stand at. */
export default function ClientListScreen() {
  const { t } = useTranslation(['client', 'vocabulary'])
  const merchant = useMerchant()
  const { me } = useSession()
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
  const create =
    me && roleMay(me.role, 'client.write') ? (
      <Button<typeof PlaceLink> component={PlaceLink} place={{ to: '/manage/clients/create' }}>
        {t('create')}
      </Button>
    ) : undefined
  return (
    <ListScreen
      id="clients"
      title={t('title')}
      row={clients.listClients}
      params={{ merchantId: merchant.id }}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
      actions={create}
      exports="clients"
      empty={{ title: t('empty.title'), text: t('empty.text'), action: create }}
    />
  )
}
