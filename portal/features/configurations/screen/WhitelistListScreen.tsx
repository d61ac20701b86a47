import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  screenWhitelist,
  type WhitelistEntry,
  whitelistColumns,
  whitelistOrds,
  whitelistStates,
} from '#contract/configurations/screen-whitelist.ts'
import { call } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/ui/dialog/toast.tsx'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { BulkAction, Filter } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const looks = {
  open: { tone: 'info', mark: 'clock' },
  enrolled: { tone: 'ok', mark: 'check' },
  expired: { tone: 'mute', mark: 'dash' },
} as const satisfies Record<WhitelistEntry['state'], object>

const columns = (say: Say) =>
  recordColumns<WhitelistEntry>(whitelistColumns, whitelistOrds, {
    lines: ['posName', 'expiresAt'],
    hidden: ['addedBy'],
    looks: {
      state: {
        card: 'badge',
        cell: ({ state }: WhitelistEntry) => (
          <Badge {...looks[state]}>{say.t(`screen-whitelist:state.${state}`)}</Badge>
        ),
      },
    },
  })(say)
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('screen-whitelist:filter.search') },
  anyOf('states', t('screen-whitelist:column.state'), whitelistStates, (one) => t(`screen-whitelist:state.${one}`)),
]

/** Serials whose screens may enrol. */
export default function WhitelistListScreen() {
  const { t } = useTranslation('screen-whitelist')
  const client = useQueryClient()
  const { id: merchantId } = useMerchant()
  const { askBulk, dialog } = useBulkConfirm()
  const bulk: BulkAction<WhitelistEntry>[] = [
    {
      key: 'remove',
      needs: 'screen.write',
      name: t('remove.do'),
      run: (chosen, clear) =>
        askBulk(chosen, clear, {
          question: (many) => ({
            title: t('remove.title', many),
            consequence: t('remove.consequence'),
            confirm: t('remove.do'),
            dismiss: { how: 'keep', count: many.count },
            isDanger: true,
          }),
          act: async (selection) => {
            const rows = chosen.kind === 'rows' ? chosen.items : await matching(merchantId, selection)
            for (const { id, merchantId: of } of rows)
              await call(screenWhitelist.removeFromWhitelist, { params: { merchantId: of, whitelistEntryId: id } })
            await client.invalidateQueries()
            toast.success('screen-whitelist:remove.done')
          },
        }),
    },
  ]
  return (
    <>
      <ListScreen
        id="screenWhitelist"
        words="screen-whitelist"
        row={screenWhitelist.listWhitelist}
        columns={columns}
        filters={filters}
        order={order}
        bulk={bulk}
        create={{
          name: t('create'),
          needs: 'screen.write',
          does: { to: '/manage/screen-configuration-whitelist/create' },
        }}
        exports="screenWhitelist"
      />
      {dialog}
    </>
  )
}

/** The entries of a selection by its filters, up to the largest page. */
async function matching(
  merchantId: string,
  selection: { ids?: unknown; matching?: object; except?: readonly string[] | undefined },
) {
  const query = { ...selection.matching, size: 500 }
  const { items } = await call(screenWhitelist.listWhitelist, { params: { merchantId }, query })
  return items.filter(({ id }) => !selection.except?.includes(id))
}
