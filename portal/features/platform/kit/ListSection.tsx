import { QueryClientProvider } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { rules } from '#contract/rules/rules.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import type { ListEdit } from '#portal/ui/grid/types.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { machineStateLooks } from '#portal/ui/value/looks.ts'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { KitClient, type KitRow, type KitState, kitRows, kitStates, rowStates, saveKitRows } from './kitRows.ts'

const toneOf = ({ state }: KitRow) => (state === 'blocked' ? 'crit' : undefined)

/** Columns of each kind: texts, a badge, times, numbers and amounts. */
const columnsOf = (t: TFunction, format: ReturnType<typeof useFormat>): Column<KitRow>[] => [
  {
    id: 'name',
    name: t('kit:list.name'),
    cell: ({ name }) => name,
    sort: true,
    isFixed: true,
    card: 'title',
    label: ({ name }) => name,
  },
  {
    id: 'state',
    name: t('kit:list.state'),
    cell: (row) => <StatusBadge of={machineStateLooks} value={row.state} />,
    card: 'badge',
  },
  { id: 'at', name: t('kit:list.at'), cell: ({ at }) => <When at={at} />, card: 'line' },
  {
    id: 'sold',
    name: t('kit:card.sold'),
    cell: ({ sold }) => format.number(sold),
    sort: true,
    align: 'end',
    card: 'aside',
    number: ({ sold }) => sold,
  },
  {
    id: 'taken',
    name: t('kit:list.taken'),
    cell: ({ taken: takings, currency }) => <Amount minor={takings} currency={currency} />,
    align: 'end',
    number: ({ taken: takings }) => takings,
    unit: 'money',
    currencyOf: ({ currency }) => currency,
  },
  { id: 'id', name: 'id', cell: ({ id }) => id, isHidden: true },
]

/** Cells of each kind that can be edited. */
const editOf = (t: TFunction): ListEdit<KitRow> => ({
  columns: [
    { id: 'id', name: 'id', width: 90, value: ({ id }) => id },
    {
      id: 'name',
      name: t('kit:list.name'),
      value: ({ name }) => name,
      edit: { kind: 'text', schema: rules.requiredText(40) },
    },
    {
      id: 'state',
      name: t('kit:list.state'),
      value: ({ state }) => state,
      edit: {
        kind: 'select',
        schema: rules.requiredText(40),
        options: () => rowStates.map((value) => ({ value, label: t(machineStateLooks[value].word) })),
      },
    },
    {
      id: 'sold',
      name: t('kit:card.sold'),
      width: 110,
      value: ({ sold }) => sold,
      edit: { kind: 'number', schema: rules.wholeBetween(0, 100_000) },
    },
    {
      id: 'taken',
      name: t('kit:list.taken'),
      width: 130,
      value: ({ taken: takings }) => takings,
      edit: { kind: 'money', schema: rules.MinimumZero, currency: ({ currency }) => currency },
    },
  ],
  nameOf: ({ name }) => name,
  save: (edits) => saveKitRows(edits, t('kit:list.refused')),
})

/** The list frame over local rows; the address sets its state (`?list=error`), and phones show cards. */
export function ListSection() {
  const { t } = useTranslation(['kit', 'vocabulary'])
  const format = useFormat()
  const go = useGo()
  const addressState = oneOf(useAddressQuery(), 'list')
  const state: KitState = kitStates.find((one) => one === addressState) ?? 'rows'
  const client = useMemo(() => new KitClient(state, { defaultOptions: { queries: { retry: false } } }), [state])
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const edit = useMemo(() => editOf(t), [t])
  return (
    <>
      <Segments
        name={t('kit:list.choose')}
        value={state}
        choose={(list) => {
          const search = list === 'noMatch' ? t('kit:list.nothing') : undefined
          void go({ to: '.', search: { list, search } }, { resetScroll: false })
        }}
        options={kitStates.map((value) => ({ value, label: t(`kit:list.states.${value}`) }))}
      />
      <QueryClientProvider client={client}>
        <ListScreen
          key={state}
          id="kit"
          title={t('kit:section.list')}
          row={kitRows}
          columns={columns}
          filters={[
            {
              key: 'search',
              kind: 'text',
              name: t('kit:list.search'),
            },
          ]}
          order={{ ord: 'name', ordType: 'ASC' }}
          toneOf={toneOf}
          onOpen={({ name }) => toast.success('kit:list.opened', { name })}
          bulk={[{ key: 'act', needs: 'machine.read', name: t('kit:list.act'), run: (_, clear) => clear() }]}
          edit={edit}
          exports="machines"
          empty={{ title: t('kit:list.empty'), text: t('kit:fact.long') }}
          isEmbedded
        />
      </QueryClientProvider>
    </>
  )
}
