import { Alert } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import {
  type VpConfiguration,
  type VpMachine,
  vpConfigurations,
  vpMachineColumns,
  vpMachineOrds,
} from '#contract/configurations/vp-configuration.ts'
import { call } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { BulkAction, Filter } from '#portal/ui/list/types.ts'
import { useBulkConfirm } from '#portal/ui/list/useBulkConfirm.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { When } from '#portal/ui/time/When.tsx'
import { VpCommandState, VpSync } from './VpSync.tsx'

const order = { ord: 'name', ordType: 'ASC' } as const

const columnsOf = ({ timeZone, version }: VpConfiguration) =>
  recordColumns<VpMachine>(vpMachineColumns, vpMachineOrds, ({ t }: Say) => ({
    lines: ['sentVersion', 'command', 'serial'],
    offCards: ['connection'],
    looks: {
      sync: { card: 'badge', cell: (machine) => <VpSync machine={machine} /> },
      sentVersion: {
        cell: ({ sentVersion }) =>
          sentVersion === null
            ? null
            : t(sentVersion === version ? 'vp-configuration:sent.current' : 'vp-configuration:sent.older', {
                version: sentVersion,
              }),
      },
      command: { cell: ({ command }) => <VpCommandState command={command} /> },
      reportedAt: { cell: ({ reportedAt }) => <When at={reportedAt} timeZone={timeZone} /> },
    },
  }))
const filters = ({ t }: Say): Filter[] => [{ key: 'search', kind: 'text', name: t('vp-configuration:filter.machine') }]

/** The machines whose target the configuration is, with their sync state; it can be sent to them again. */
export const Machines = () => <List targets="own" />
/** The other machines of the model, to which it can be sent. */
export const Send = () => <List targets="others" />

function List({ targets }: { targets: 'own' | 'others' }) {
  const { t } = useTranslation(['vp-configuration', 'errors'])
  const format = useFormat()
  const client = useQueryClient()
  const { askBulk, dialog } = useBulkConfirm()
  const { data } = useRecord(vpConfigurations.getVpConfiguration, 'vpConfigurationId')
  if (!data) return null
  const { id: vpConfigurationId, merchantId, version, problems, isSchemaKnown } = data
  const params = { merchantId, vpConfigurationId }
  const many = (count: number) => ({ count, number: format.number(count) })
  const placeOf = ({ id }: VpMachine) => ({
    to: '/devices/vp/configurations/$vpConfigurationId',
    params: { vpConfigurationId },
    search: { machine: id },
  })
  const isSendable = problems === 0 && isSchemaKnown
  const send: BulkAction<VpMachine> = {
    key: 'send',
    needs: 'vpConfiguration.write',
    name: t('send.do'),
    icon: <IconSend size={15} aria-hidden />,
    run: (bulkSelection, clear) =>
      askBulk(bulkSelection, clear, {
        question: (number) => ({
          title: t('send.title', { ...number, name: data.name }),
          consequence: t('send.consequence'),
          confirm: t('send.confirm', number),
          dismiss: { how: 'dontSend' },
        }),
        act: async (selection) => {
          const machines =
            'matching' in selection
              ? { ...selection, matching: { ...(selection.matching as object), targets } }
              : selection
          const body = { version, machines }
          const { sent, refused } = await call(vpConfigurations.sendVpConfiguration, { params, body })
          await client.invalidateQueries()
          if (sent.length > 0) toast.success('vp-configuration:send.done', many(sent.length))
          const [first] = refused
          if (first)
            toast.warning('vp-configuration:send.refused', { ...many(refused.length), why: t(`errors:${first.code}`) })
        },
      }),
  }
  return (
    <>
      {!isSendable && (
        <Alert color="warn" mb="md">
          {t(isSchemaKnown ? 'send.invalid' : 'gone.send', { count: problems })}
        </Alert>
      )}
      <ListScreen
        id={targets === 'own' ? 'vpMachines' : 'vpOtherMachines'}
        title={t(`machines.${targets}`)}
        row={vpConfigurations.listVpMachines}
        params={params}
        fixed={{ targets }}
        columns={columnsOf(data)}
        filters={filters}
        order={order}
        placeOf={placeOf}
        bulk={isSendable ? [send] : []}
        empty={{ title: t(`machines.${targets}Empty`), text: t(`machines.${targets}Text`) }}
        isEmbedded
      />
      {dialog}
    </>
  )
}
