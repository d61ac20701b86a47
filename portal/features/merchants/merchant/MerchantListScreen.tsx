import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Merchant, merchantColumns, merchantOrds, merchants } from '#contract/merchants/merchant.ts'
import { demoStates } from '#contract/vocabulary/demo.ts'
import { features } from '#contract/vocabulary/feature.ts'
import { useCountryOptions } from '#portal/ui/form/choices/countryNames.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { DemoBadge } from './DemoBadge.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const contactOf = ({ contactName, contactEmail }: Merchant) => [contactName, contactEmail].filter(Boolean).join(' · ')
/** The page of the row's merchant, regardless of the selected merchant; its address has the merchant in its path. */
const placeOf = ({ id }: Merchant) => ({ to: '/admin/merchants/$merchantId', params: { merchantId: id } })

const columns = recordColumns<Merchant>(merchantColumns, merchantOrds, ({ t }: Say) => ({
  lines: ['country'],
  hidden: ['demoExpiresOn', 'legalName', 'contact', 'timeZone'],
  offCards: ['sapCode', 'currency', 'families', 'createdAt'],
  looks: {
    isDemo: { card: 'badge', cell: (merchant) => <DemoBadge merchant={merchant} /> },
    contact: { cell: contactOf },
    features: { cell: (one) => t('admin:featureCount', { count: one.features.length, all: features.length }) },
    families: {
      cell: ({ productFamilies }) => productFamilies.map((family) => t(`admin:family.${family}.name`)).join(', '),
    },
  },
}))

/** Every merchant of the platform, and its features. */
export default function MerchantListScreen() {
  const { t } = useTranslation(['admin', 'merchant'])
  const countries = useCountryOptions()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      whether('isDemo', t('filter.kind'), t('demo'), t('customer')),
      anyOf('demoStates', t('filter.demo'), demoStates, (value) => t(`demoState.${value}`)),
      {
        key: 'countries',
        kind: 'multi',
        name: t('column.country'),
        values: countries.map(({ value }) => value),
        options: countries,
      },
      anyOf('features', t('column.features'), features, (value) => t(`feature.${value}.name`)),
    ],
    [t, countries],
  )
  const create = (
    <Button<typeof PlaceLink>
      component={PlaceLink}
      place={{ to: '/admin/merchants/create' }}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t('merchant:new.title')}
    </Button>
  )
  return (
    <ListScreen
      id="merchants"
      title={t('list.title')}
      row={merchants.listMerchants}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      actions={create}
      exports="merchants"
      empty={{ title: t('list.empty'), text: t('list.emptyText') }}
    />
  )
}
