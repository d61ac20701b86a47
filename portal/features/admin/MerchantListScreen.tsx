import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Merchant, merchants } from '#contract/merchant.ts'
import { features } from '#contract/vocabulary/feature.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { CopyId } from '../../ui/CopyId.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Column, Filter } from '../../ui/list/types.ts'
import { Badge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const keyOf = ({ id }: Merchant) => id
/** The setting is of the merchant of the row, whichever is chosen above; the address names it in its path. */
const placeOf = ({ id }: Merchant) => ({ to: '/admin/merchants/$merchantId/setting', params: { merchantId: id } })

/** Every merchant of the deployment, and what each may use. */
export default function MerchantListScreen() {
  const { t } = useTranslation('admin')
  const columns = useMerchantColumns()
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      {
        key: 'isDemo',
        kind: 'select',
        name: t('filter.kind'),
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('demo') },
          { value: 'false', label: t('customer') },
        ],
      },
    ],
    [t],
  )
  return (
    <ListScreen
      id="merchants"
      title={t('list.title')}
      row={merchants.listMerchants}
      params={undefined}
      columns={columns}
      filters={filters}
      order={order}
      keyOf={keyOf}
      placeOf={placeOf}
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
        cell: ({ isDemo }) =>
          isDemo && (
            <Badge tone="info" mark="dot">
              {t('demo')}
            </Badge>
          ),
      },
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
