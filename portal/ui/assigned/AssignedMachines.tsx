import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Permission } from '#contract/access.ts'
import { planogramAssignments, planogramMachineColumns } from '#contract/catalogue/planogram-assignment.ts'
import type { ListColumns } from '#contract/frame/list-columns.ts'
import {
  type AssignedMachine,
  assignedColumns,
  assignedOrds,
  assignedToClientColumns,
} from '#contract/machines/assigned-machine.ts'
import { clients as clientRows, type clients } from '#contract/merchants/client.ts'
import { groupMachines } from '#contract/merchants/group-machines.ts'
import { call } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { manyOf } from '#portal/app/search.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { oneOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { BulkAction, Filter, View } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const columnsOf = (of: ListColumns) =>
  recordColumns<AssignedMachine>(of, assignedOrds, ({ t }: Say) => ({
    lines: ['serial'],
    offCards: ['address'],
    looks: {
      name: {
        label: undefined,
        cell: ({ name, hidden }) => (
          <>
            {name}
            {hidden && (
              <>
                {' '}
                <Badge tone="mute" mark="ring">
                  {t('assigned:hidden')}
                </Badge>
              </>
            )}
          </>
        ),
      },
    },
  }))
const columns = {
  group: columnsOf(assignedColumns),
  client: columnsOf(assignedToClientColumns),
  planogram: columnsOf(planogramMachineColumns),
}
const placeOf = ({ id }: AssignedMachine) => ({
  to: '/devices/$posId',
  params: { posId: id },
})

type Selection = NonNullable<Parameters<typeof call<typeof clients.moveClientMachines>>[1]['body']['added']>

interface Props {
  /** The kinds of records to which machines are assigned. */
  kind: 'group' | 'client' | 'planogram'
  id: string
  merchantId: string
  name: string
  /** After machines were added: their ids, or only their number. */
  onAdded?: (machines: readonly string[] | number) => void
}

const mayMove = {
  group: 'group.write',
  client: 'client.write',
  planogram: 'planogram.write',
} as const satisfies Record<Props['kind'], Permission>

/**
 * The machines of a group, client or planogram, and the merchant's other machines; single machines or all matching
 * ones are added or removed.
 */
export function AssignedMachines({ kind, id, merchantId, name, onAdded }: Props) {
  const { t } = useTranslation(['assigned', 'vocabulary'])
  const format = useFormat()
  const client = useQueryClient()
  const { askBulk, dialog } = useBulkConfirm()
  const isOthers = manyOf(useAddressQuery(), 'others').includes('true')
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('filter.search') },
      oneOf('others', t('filter.which'), ['true'], () => t(`others.${kind}`)),
    ],
    [t, kind],
  )
  const views = useMemo(
    (): View[] => [
      { id: 'here', name: t(`here.${kind}`), filters: {} },
      { id: 'others', name: t(`others.${kind}`), filters: { others: ['true'] } },
    ],
    [t, kind],
  )
  const send = (body: { added?: Selection; removed?: Selection }) => {
    if (kind === 'group') return call(groupMachines.moveGroupMachines, { params: { merchantId, groupId: id }, body })
    if (kind === 'client') return call(clientRows.moveClientMachines, { params: { merchantId, clientId: id }, body })
    return call(planogramAssignments.movePlanogramMachines, { params: { merchantId, planogramId: id }, body })
  }
  const act = (way: 'add' | 'remove'): BulkAction<AssignedMachine> => ({
    key: way,
    needs: mayMove[kind],
    name: t(`${way}.do`),
    run: (bulkSelection, clear) =>
      askBulk(bulkSelection, clear, {
        question: (many) => ({
          title: t(`${way}.title`, { ...many, name }),
          consequence: t(`${way}.${kind}`, many),
          confirm: t(`${way}.confirm`, many),
          dismiss: { how: 'leave' },
        }),
        act: async (selection) => {
          const { added, removed } = await send(way === 'add' ? { added: selection } : { removed: selection })
          await client.invalidateQueries()
          const count = way === 'add' ? added : removed
          toast.success(`assigned:${way}.done`, { count, number: format.number(count), name })
          if (way === 'add') onAdded?.('ids' in selection && selection.ids ? selection.ids : added)
        },
      }),
  })
  const common = {
    id: `${kind}Machines`,
    title: t('title'),
    fixed: undefined,
    columns: columns[kind],
    filters,
    views,
    order,
    placeOf,
    bulk: [act(isOthers ? 'add' : 'remove')],
    empty: isOthers
      ? { title: t('empty.others') }
      : { title: t(`empty.${kind}`), text: t('empty.text', { view: t(`others.${kind}`) }) },
    isEmbedded: true,
  }
  return (
    <>
      {kind === 'group' && (
        <ListScreen {...common} row={groupMachines.listGroupMachines} params={{ merchantId, groupId: id }} />
      )}
      {kind === 'client' && (
        <ListScreen {...common} row={clientRows.listClientMachines} params={{ merchantId, clientId: id }} />
      )}
      {kind === 'planogram' && (
        <ListScreen
          {...common}
          row={planogramAssignments.listPlanogramMachines}
          params={{ merchantId, planogramId: id }}
        />
      )}
      {dialog}
    </>
  )
}
