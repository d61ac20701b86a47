import { useTranslation } from 'react-i18next'
import {
  screenWhitelist,
  type WhitelistEntry,
  whitelistColumns,
  whitelistOrds,
  whitelistStates,
} from '#contract/configurations/screen-whitelist.ts'
import { call } from '#portal/app/api.ts'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { useBulkRemove } from '#portal/ui/list/useBulkRemove.tsx'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const looks = {
  open: { tone: 'info', mark: 'clock', word: 'screen-whitelist:state.open' },
  enrolled: { tone: 'ok', mark: 'check', word: 'screen-whitelist:state.enrolled' },
  expired: { tone: 'mute', mark: 'dash', word: 'screen-whitelist:state.expired' },
} as const satisfies Record<WhitelistEntry['state'], Appearance>

const columns = recordColumns<WhitelistEntry>(whitelistColumns, whitelistOrds, {
  lines: ['posName', 'expiresAt'],
  hidden: ['addedBy'],
  statuses: { whitelistState: looks },
})
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('screen-whitelist:filter.search') },
  anyOf('states', t('screen-whitelist:column.state'), whitelistStates, (one) => t(`screen-whitelist:state.${one}`)),
]

/** Serials whose screens may enrol. */
export default function WhitelistListScreen() {
  const { t } = useTranslation('screen-whitelist')
  const { bulk, dialog } = useBulkRemove<WhitelistEntry>({
    needs: 'screen.write',
    name: t('remove.do'),
    question: (many) => ({
      title: t('remove.title', many),
      consequence: t('remove.consequence'),
      confirm: t('remove.do'),
    }),
    done: 'screen-whitelist:remove.done',
    list: screenWhitelist.listWhitelist,
    remove: ({ id: whitelistEntryId, merchantId }) =>
      call(screenWhitelist.removeFromWhitelist, { params: { merchantId, whitelistEntryId } }),
  })
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
