import { SegmentedControl } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../app/i18n/format.ts'
import { oneOf, type Search } from '../../app/search.ts'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Column } from '../../ui/list/types.ts'
import { machineStateLooks } from '../../ui/looks.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { toast } from '../../ui/toast.tsx'
import { When } from '../../ui/When.tsx'
import { KitClient, type KitRow, type KitState, kitRows, kitStates } from './kitRows.ts'

const idOf = ({ id }: KitRow) => id
const toneOf = ({ state }: KitRow) => (state === 'blocked' ? 'crit' : undefined)

/** The list frame over rows of this page; the address says in which state (`?list=error`), and cards come at a phone's width. */
export function ListSection() {
  const { t } = useTranslation('kit')
  const format = useFormat()
  const navigate = useNavigate()
  const asked = oneOf(useSearch({ strict: false }) as Search, 'list')
  const state: KitState = kitStates.find((one) => one === asked) ?? 'rows'
  const client = useMemo(() => new KitClient(state, { defaultOptions: { queries: { retry: false } } }), [state])
  const columns = useMemo(
    (): Column<KitRow>[] => [
      { id: 'name', name: t('list.name'), cell: ({ name }) => name, sort: true, isFixed: true, card: 'title' },
      {
        id: 'state',
        name: t('list.state'),
        cell: (row) => <StatusBadge of={machineStateLooks} value={row.state} />,
        card: 'badge',
      },
      { id: 'at', name: t('list.at'), cell: ({ at }) => <When at={at} />, card: 'line' },
      {
        id: 'sold',
        name: t('card.sold'),
        cell: ({ sold }) => format.number(sold),
        sort: true,
        align: 'end',
        card: 'aside',
      },
      { id: 'id', name: 'id', cell: ({ id }) => id, isHidden: true },
    ],
    [t, format],
  )
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('list.choose')}
        value={state}
        onChange={(list) => {
          const search = list === 'noMatch' ? t('list.nothing') : undefined
          void navigate({ to: '.', search: { list, search }, resetScroll: false } as never)
        }}
        data={kitStates.map((value) => ({ value, label: t(`list.states.${value}`) }))}
      />
      <QueryClientProvider client={client}>
        <ListScreen
          key={state}
          id="kit"
          title={t('section.list')}
          row={kitRows}
          params={undefined}
          columns={columns}
          filters={[
            {
              key: 'search',
              kind: 'text',
              name: t('list.search'),
            },
          ]}
          order={{ ord: 'name', ordType: 'ASC' }}
          keyOf={idOf}
          toneOf={toneOf}
          onOpen={({ name }) => toast.success('kit:list.opened', { name })}
          bulk={[{ key: 'act', needs: 'machine.read', name: t('list.act'), run: (_, clear) => clear() }]}
          empty={{ title: t('list.empty'), text: t('fact.long') }}
          isEmbedded
        />
      </QueryClientProvider>
    </>
  )
}
