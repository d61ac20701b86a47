import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Client, clients } from '#contract/client.ts'
import { countries } from '#contract/vocabulary/countries.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { useSession } from '../../app/session/useSession.ts'
import { useCountryOptions } from '../../ui/form/fields/countryNames.ts'
import { whether } from '../../ui/list/filters.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Filter } from '../../ui/list/types.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { useClientColumns } from './useClientColumns.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const keyOf = ({ id }: Client) => id
const placeOf = ({ id, merchantId }: Client) => ({
  to: '/manage/clients/$clientId',
  params: { clientId: id },
  search: { merchant: merchantId },
})

/** Whom the merchant's machines stand at. */
export default function ClientListScreen() {
  const { t } = useTranslation('client')
  const merchant = useMerchant()
  const { me } = useSession()
  const options = useCountryOptions()
  const columns = useClientColumns()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      { key: 'countries', kind: 'multi', name: t('filter.country'), values: countries, options },
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
