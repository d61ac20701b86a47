import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Merchant, merchants } from '#contract/merchants/merchant.ts'
import { demoStates } from '#contract/vocabulary/demo.ts'
import { features } from '#contract/vocabulary/feature.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useCountryOptions } from '#portal/ui/form/choices/countryNames.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { DemoBadge } from './DemoBadge.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const contactOf = ({ contactName, contactEmail }: Merchant) => [contactName, contactEmail].filter(Boolean).join(' · ')
/** The page of the row's merchant, regardless of the selected merchant; its address has the merchant in its path. */
const placeOf = ({ id }: Merchant) => ({ to: '/admin/merchants/$merchantId', params: { merchantId: id } })

/** Every merchant of the platform, and its features. */
export default function MerchantListScreen() {
  const { t } = useTranslation(['admin', 'merchant'])
  const columns = useMerchantColumns()
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

function useMerchantColumns(): Column<Merchant>[] {
  const { t } = useTranslation('admin')
  const format = useFormat()
  return useMemo((): Column<Merchant>[] => {
    const countries = new Intl.DisplayNames(format.locale, { type: 'region' })
    return [
      {
        id: 'name',
        name: t('column.name'),
        sort: true,
        isFixed: true,
        card: 'title',
        cell: ({ name }) => name,
        label: ({ name }) => name,
      },
      {
        id: 'isDemo',
        name: t('column.kind'),
        card: 'badge',
        cell: (merchant) => <DemoBadge merchant={merchant} />,
      },
      {
        id: 'demoExpiresOn',
        name: t('column.demoExpiresOn'),
        sort: true,
        isHidden: true,
        card: 'none',
        cell: ({ demoExpiresOn }) => demoExpiresOn && format.day(demoExpiresOn),
      },
      {
        id: 'legalName',
        name: t('column.legalName'),
        isHidden: true,
        card: 'none',
        cell: ({ legalName }) => legalName,
      },
      { id: 'contact', name: t('column.contact'), isHidden: true, card: 'none', cell: contactOf },
      { id: 'sapCode', name: t('column.sapCode'), card: 'none', cell: ({ sapCode }) => sapCode },
      {
        id: 'country',
        name: t('column.country'),
        sort: true,
        card: 'line',
        cell: ({ country }) => countries.of(country),
      },
      { id: 'currency', name: t('column.currency'), sort: true, card: 'none', cell: ({ currency }) => currency },
      { id: 'timeZone', name: t('column.timeZone'), isHidden: true, card: 'none', cell: ({ timeZone }) => timeZone },
      {
        id: 'features',
        name: t('column.features'),
        cell: (one) => t('featureCount', { count: one.features.length, all: features.length }),
      },
      {
        id: 'families',
        name: t('column.families'),
        card: 'none',
        cell: ({ productFamilies }) => productFamilies.map((family) => t(`family.${family}.name`)).join(', '),
      },
      {
        id: 'machines',
        name: t('column.machines'),
        sort: true,
        align: 'end',
        cell: ({ machines }) => format.number(machines),
        number: ({ machines }) => machines,
      },
      {
        id: 'createdAt',
        name: t('column.created'),
        sort: true,
        align: 'end',
        card: 'none',
        cell: ({ createdAt, timeZone }) => <When at={createdAt} timeZone={timeZone} />,
      },
      {
        id: 'id',
        name: t('column.id'),
        isHidden: true,
        card: 'none',
        cell: ({ id }) => <CopyId value={id} isShort />,
      },
    ]
  }, [t, format])
}
