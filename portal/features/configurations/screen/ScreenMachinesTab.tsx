import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type ScreenMachine,
  screenConfigurations,
  screenMachineColumns,
  screenMachineOrds,
} from '#contract/configurations/screen-configuration.ts'
import { call } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { BulkAction, Filter } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: ScreenMachine) => ({ to: '/devices/$posId', params: { posId: id } })

/** Whether a machine shows what was sent. */
function Sync({ sync, editedOn }: Pick<ScreenMachine, 'sync' | 'editedOn'>) {
  const { t } = useTranslation('screen-configuration')
  if (sync === 'sync')
    return (
      <Badge tone="ok" mark="check">
        {t('sync.inSync')}
      </Badge>
    )
  return editedOn === 'device' ? (
    <Badge tone="crit" mark="triangle">
      {t('sync.edited')}
    </Badge>
  ) : (
    <Badge tone="warn" mark="clock">
      {t('sync.pending')}
    </Badge>
  )
}

const columns = recordColumns<ScreenMachine>(screenMachineColumns, screenMachineOrds, ({ t }: Say) => ({
  lines: ['sentAt', 'commandInfo'],
  offCards: ['state'],
  looks: {
    name: { cell: ({ name, hidden }) => (hidden ? `${name} (${t('screen-configuration:machines.hidden')})` : name) },
    sync: { card: 'badge', cell: ({ sync, editedOn }) => <Sync sync={sync} editedOn={editedOn} /> },
    sentAt: { align: undefined },
  },
}))
const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('screen-configuration:filter.machine') },
]

/** The machines that a screen configuration was sent to, and whether they show it. */
export default function ScreenMachinesTab() {
  const { t } = useTranslation('screen-configuration')
  const format = useFormat()
  const client = useQueryClient()
  const { askBulk, dialog } = useBulkConfirm()
  const { data: screen } = useRecord(screenConfigurations.getScreenConfiguration, 'screenConfigurationId')
  if (!screen) return null
  const { id: screenConfigurationId, merchantId, version } = screen
  const bulk: BulkAction<ScreenMachine>[] = [
    {
      key: 'send',
      needs: 'screen.write',
      name: t('again.do'),
      run: (bulkSelection, clear) =>
        askBulk(bulkSelection, clear, {
          question: (many) => ({
            title: t('again.title', many),
            consequence: t('again.consequence', { number: format.number(version) }),
            confirm: t('again.confirm', many),
            dismiss: { how: 'dontSend' },
          }),
          act: async (selection) => {
            const ids = selection.ids ?? (await idsOf(merchantId, screenConfigurationId))
            const body = { version, machines: { ids } }
            const { sent, refused } = await call(screenConfigurations.sendScreenConfiguration, {
              params: { merchantId, screenConfigurationId },
              body,
            })
            await client.invalidateQueries()
            toast.success('screen-configuration:send.done', { count: sent, number: format.number(sent) })
            const [first] = refused
            if (first) toast.error(new ApiError(first.code, 409))
          },
        }),
    },
  ]
  return (
    <>
      <ListScreen
        id="screenMachines"
        title={t('machines.title')}
        row={screenConfigurations.listScreenMachines}
        params={{ merchantId, screenConfigurationId }}
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

/** All machines of a configuration, up to the largest page. */
async function idsOf(merchantId: string, screenConfigurationId: string): Promise<string[]> {
  const { items } = await call(screenConfigurations.listScreenMachines, {
    params: { merchantId, screenConfigurationId },
    query: { size: 500 },
  })
  return items.map(({ id }) => id)
}
