import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type RemoteCommand, remoteCommands } from '#contract/commands/remote-command.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { BulkAction, BulkSelection } from '#portal/ui/list/types.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { CommandDrawer } from '../CommandDrawer.tsx'
import { useCommandName } from '../commandNames.ts'
import { columnsOf } from './commandColumns.tsx'
import { useCancelMany } from './useCancelMany.tsx'
import { useCommandFilters } from './useCommandFilters.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const

/** The selection among the commands of one machine. */
const ofMachine = (selection: BulkSelection<RemoteCommand>, posId: string): BulkSelection<RemoteCommand> =>
  selection.kind === 'matching' ? { ...selection, filters: { ...selection.filters, posIds: [posId] } } : selection

/** Commands to all machines, or to one. */
export function CommandList({ posId }: { posId?: string }) {
  const { t } = useTranslation('remote-command')
  const nameOf = useCommandName()
  const { me } = useSession()
  const { key, open, close } = useOpenDetail('command')
  const { askCancel, dialog } = useCancelMany()
  const columns = useMemo(() => columnsOf({ isOfMachine: posId !== undefined, nameOf }), [posId, nameOf])
  const filters = useCommandFilters(posId)
  const bulk: BulkAction<RemoteCommand>[] = [
    {
      key: 'cancel',
      needs: 'remoteCommand.write',
      name: t('remote-command:cancel.do'),
      icon: <IconX size={15} aria-hidden />,
      run: (selection, clear) => askCancel(posId ? ofMachine(selection, posId) : selection, clear),
    },
  ]
  return (
    <>
      <ListScreen
        id={posId ? 'machineCommands' : 'commands'}
        title={t('remote-command:parts.history')}
        isEmbedded
        exports="remoteCommands"
        row={remoteCommands.listRemoteCommands}
        fixed={posId ? { posIds: [posId] } : undefined}
        columns={columns}
        filters={filters}
        order={order}
        bulk={bulk}
        onOpen={({ id }) => open(id)}
        empty={{
          title: t('remote-command:empty.title'),
          text: t('remote-command:empty.text'),
          action: me && roleMay(me.role, 'remoteCommand.write') && (
            <Button<typeof PlaceLink>
              component={PlaceLink}
              place={{ to: '/devices/remote-commands', search: posId ? { posIds: posId } : {} }}
            >
              {t('remote-command:parts.send')}
            </Button>
          ),
        }}
      />
      <CommandDrawer commandId={key} close={close} />
      {dialog}
    </>
  )
}
