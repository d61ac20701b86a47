import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Client } from '#contract/merchants/client.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'

/** What a list says of a client. */
export function useClientColumns(): Column<Client>[] {
  const { t } = useTranslation(['client', 'vocabulary'])
  const format = useFormat()
  return useMemo((): Column<Client>[] => {
    const countries = new Intl.DisplayNames(format.locale, { type: 'region' })
    const hidden = { isHidden: true, card: 'none' } as const
    return [
      {
        id: 'name',
        name: t('field.name'),
        sort: true,
        isFixed: true,
        card: 'title',
        cell: ({ name }) => name,
        label: ({ name }) => name,
      },
      { id: 'code', name: t('field.code'), sort: true, card: 'line', cell: ({ code }) => code },
      {
        id: 'merchant',
        name: t('column.merchant'),
        isForAll: true,
        card: 'line',
        cell: ({ merchantName }) => merchantName,
      },
      { id: 'companyName', name: t('field.companyName'), ...hidden, cell: ({ companyName }) => companyName },
      {
        id: 'sector',
        name: t('field.sector'),
        ...hidden,
        cell: ({ sector }) => sector && t(`vocabulary:posSector.${sector}`),
      },
      { id: 'address', name: t('column.address'), card: 'none', cell: ({ address }) => address },
      { id: 'zipCode', name: t('column.zipCode'), ...hidden, cell: ({ zipCode }) => zipCode },
      { id: 'city', name: t('column.city'), sort: true, card: 'line', cell: ({ city }) => city },
      { id: 'province', name: t('column.province'), ...hidden, cell: ({ province }) => province },
      { id: 'country', name: t('filter.country'), ...hidden, cell: ({ country }) => countries.of(country) },
      { id: 'vatCode', name: t('field.vatCode'), ...hidden, cell: ({ vatCode }) => vatCode },
      { id: 'contactName', name: t('field.contactName'), cell: ({ contactName }) => contactName },
      { id: 'contactEmail', name: t('field.contactEmail'), ...hidden, cell: ({ contactEmail }) => contactEmail },
      { id: 'phone', name: t('field.phone'), cell: ({ phone }) => phone },
      { id: 'website', name: t('field.website'), ...hidden, cell: ({ website }) => website },
      {
        id: 'machines',
        name: t('column.machines'),
        align: 'end',
        cell: ({ machines }) => format.number(machines),
        number: ({ machines }) => machines,
      },
      {
        id: 'createdAt',
        name: t('column.created'),
        sort: true,
        align: 'end',
        ...hidden,
        cell: ({ createdAt, timeZone }) => <When at={createdAt} timeZone={timeZone} />,
      },
      { id: 'id', name: t('column.id'), ...hidden, cell: ({ id }) => <CopyId value={id} isShort /> },
    ]
  }, [t, format])
}
