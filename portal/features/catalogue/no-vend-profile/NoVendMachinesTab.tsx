import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type NoVendMachine,
  noVendAssignments,
  noVendMachineColumns,
  noVendMachineOrds,
} from '#contract/catalogue/no-vend-assignment.ts'
import { noVendProfiles } from '#contract/catalogue/no-vend-profile.ts'
import { call } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { BulkAction, Filter, selectionIn } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { NoVendSync } from './NoVendSync.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: NoVendMachine) => ({ to: '/devices/$posId', params: { posId: id } })

const columns = recordColumns<NoVendMachine>(noVendMachineColumns, noVendMachineOrds, ({ t }: Say) => ({
  lines: ['selections', 'serial'],
  offCards: ['state'],
  looks: {
    name: { cell: ({ name, hidden }) => (hidden ? `${name} (${t('no-vend-profile:machines.hidden')})` : name) },
    inSync: { card: 'badge', cell: ({ inSync }) => <NoVendSync isInSync={inSync} /> },
    selections: { cell: ({ selections }) => selections.join(', ') || t('no-vend-profile:machines.all') },
  },
}))
const filters = ({ t }: Say): Filter[] => [{ key: 'search', kind: 'text', name: t('no-vend-profile:filter.machine') }]

/** The machines of a no-vend profile, and whether they have confirmed it. */
export default function NoVendMachinesTab() {
  const { t } = useTranslation('no-vend-profile')
  const format = useFormat()
  const client = useQueryClient()
  const { askBulk, dialog } = useBulkConfirm()
  const { data: profile } = useRecord(noVendProfiles.getNoVendProfile, 'noVendProfileId')
  const remove = useMemo(
    () =>
      profile &&
      ((selection: ReturnType<typeof selectionIn>) => {
        const { id: noVendProfileId, merchantId } = profile
        // The list's matching rows are the machines of this profile, including hidden machines.
        const machines =
          'matching' in selection
            ? { ...selection, matching: { ...selection.matching, noVendProfileId, hidden: 'all' as const } }
            : selection
        const body = { machines, noVendProfileId: null }
        return call(noVendAssignments.setNoVendProfiles, { params: { merchantId }, body })
      }),
    [profile],
  )
  if (!profile || !remove) return null
  const bulk: BulkAction<NoVendMachine>[] = [
    {
      key: 'remove',
      needs: 'noVendProfile.write',
      name: t('remove.do'),
      run: (bulkSelection, clear) =>
        askBulk(bulkSelection, clear, {
          question: (many) => ({
            title: t('remove.title', many),
            consequence: t('remove.consequence'),
            confirm: t('remove.confirm'),
            dismiss: { how: 'leave' },
          }),
          act: async (selection) => {
            const { changed } = await remove(selection)
            await client.invalidateQueries()
            toast.success('no-vend-profile:remove.done', {
              count: changed.length,
              number: format.number(changed.length),
            })
          },
        }),
    },
  ]
  return (
    <>
      <ListScreen
        id="noVendMachines"
        title={t('machines.title')}
        row={noVendAssignments.listNoVendMachines}
        params={{ merchantId: profile.merchantId, noVendProfileId: profile.id }}
        columns={columns}
        filters={filters}
        order={order}
        placeOf={placeOf}
        bulk={bulk}
        empty={{ title: t('machines.empty'), text: t('machines.emptyText') }}
        isEmbedded
      />
      {dialog}
    </>
  )
}
