import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type RemoteCommand, remoteCommands } from '#contract/commands/remote-command.ts'
import {
  remoteCommandResults,
  remoteCommandStatuses,
  remoteCommandTypeNumbers,
} from '#contract/vocabulary/remote-command.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { manyOf } from '#portal/app/search.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { BulkAction, Chosen, Column, Filter } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { commandStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { CommandDrawer } from './CommandDrawer.tsx'
import classes from './CommandList.module.css'
import { CommandProgress } from './CommandProgress.tsx'
import { CommandResult, hasResult } from './CommandResult.tsx'
import common from './CommandText.module.css'
import { useCommandName } from './commandNames.ts'
import { creditOf, isEnded } from './commandState.ts'
import { useCancelMany } from './useCancelMany.tsx'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const noGroups: never[] = []

/** The selection among the commands of one machine. */
const ofMachine = (chosen: Chosen<RemoteCommand>, posId: string): Chosen<RemoteCommand> =>
  chosen.kind === 'matching' ? { ...chosen, filters: { ...chosen.filters, posIds: [posId] } } : chosen

/** Commands to all machines, or to one. */
export function CommandList({ posId }: { posId?: string }) {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  const merchant = useMerchant()
  const merchants = useMerchants()
  const format = useFormat()
  const nameOf = useCommandName()
  const { me } = useSession()
  const { key, open, close } = useOpenDetail('command')
  const { askCancel, dialog } = useCancelMany()
  const orders = manyOf(useAddressQuery(), 'orderIds').join(' ')
  const allGroups = useGroupOptions()
  const groups = posId ? noGroups : allGroups
  const columns = useMemo((): Column<RemoteCommand>[] => {
    const credit = (command: RemoteCommand) => {
      const amount = creditOf(command)
      const currency = merchants.find(({ id }) => id === command.merchantId)?.currency
      return amount !== undefined && currency ? format.money(amount, currency) : undefined
    }
    const instant = (
      id: string,
      name: string,
      of: (command: RemoteCommand) => string | null,
    ): Column<RemoteCommand> => ({
      id,
      name: t(`remote-command:column.${name}`),
      sort: true,
      isHidden: true,
      align: 'end',
      card: 'none',
      cell: (command) => <When at={of(command)} timeZone={command.timeZone} />,
    })
    const machine: Column<RemoteCommand>[] = [
      {
        id: 'posName',
        name: t('remote-command:column.machine'),
        sort: true,
        isFixed: true,
        card: 'line',
        cell: (command) => (
          <span className={`${classes.two} ${classes.machine} ${classes.inline}`}>
            <PlaceLink
              className="quiet"
              place={{
                to: '/devices/$posId',
                params: { posId: command.posId },
              }}
            >
              {command.posName}
            </PlaceLink>
            {merchant.isAll && <span className={common.fine}>{command.merchantName}</span>}
          </span>
        ),
      },
    ]
    return [
      {
        id: 'type',
        name: t('remote-command:column.command'),
        sort: true,
        isFixed: true,
        card: 'title',
        cell: (command) => (
          <span className={classes.two}>
            <span className={common.strong}>{nameOf(command.type)}</span>
            {credit(command) && <span className={common.fine}>{credit(command)}</span>}
          </span>
        ),
      },
      ...(posId ? [] : machine),
      {
        id: 'status',
        name: t('remote-command:column.status'),
        sort: true,
        card: 'badge',
        cell: (command) => <StatusBadge of={commandStatusLooks} value={command.status} />,
      },
      {
        id: 'result',
        name: t('remote-command:column.result'),
        sort: true,
        card: 'line',
        cell: (command) =>
          hasResult(command) ? (
            <span className={`${classes.two} ${classes.inline}`}>
              <CommandResult command={command} />
              {command.resultInfo && <span className={common.fine}>{command.resultInfo}</span>}
            </span>
          ) : isEnded(command) ? null : (
            <span className={common.fine}>
              <CommandProgress command={command} />
            </span>
          ),
      },
      {
        id: 'attempts',
        name: t('remote-command:column.attempts'),
        align: 'end',
        card: 'none',
        cell: ({ attempts, maximumAttempts }) =>
          t('remote-command:attempts', { number: format.number(attempts), most: format.number(maximumAttempts) }),
      },
      {
        id: 'by',
        name: t('remote-command:column.by'),
        card: 'line',
        cell: ({ createdBy }) => <span className={classes.who}>{createdBy ?? t('ui:provider')}</span>,
      },
      {
        id: 'createdAt',
        name: t('remote-command:column.set'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ createdAt, timeZone }) => <When at={createdAt} timeZone={timeZone} />,
      },
      instant('notBefore', 'start', ({ notBefore }) => notBefore),
      instant('expiresAt', 'end', ({ expiresAt }) => expiresAt),
      instant('startedAt', 'begun', ({ startedAt }) => startedAt),
      // Hidden at first: there is no room beside the machines.
      { ...instant('executedAt', 'executed', ({ executedAt }) => executedAt), isHidden: !posId },
    ]
  }, [t, format, merchant.isAll, merchants, nameOf, posId])
  const filters = useGroupSearch(
    useMemo(
      (): Filter[] => [
        ...(posId ? [] : [{ key: 'search', kind: 'text' as const, name: t('remote-command:filter.search') }]),
        anyOf('types', t('remote-command:column.command'), remoteCommandTypeNumbers, nameOf),
        anyOf('statuses', t('remote-command:column.status'), remoteCommandStatuses, (name) =>
          t(`vocabulary:commandStatus.${name}`),
        ),
        anyOf('results', t('remote-command:column.result'), remoteCommandResults, (name) =>
          t(`vocabulary:commandResult.${name}`),
        ),
        ...anyKnown('groupIds', t('remote-command:filter.group'), groups),
        // Set by a batch's own page; it can be removed but not chosen here.
        ...anyKnown(
          'orderIds',
          t('remote-command:filter.order'),
          orders === '' ? [] : orders.split(' ').map((id) => ({ value: id, label: `…${id.slice(-8)}` })),
        ),
        { key: 'period', kind: 'period', name: t('remote-command:filter.period') },
      ],
      [t, nameOf, posId, groups, orders],
    ),
  )
  const bulk: BulkAction<RemoteCommand>[] = [
    {
      key: 'cancel',
      needs: 'remoteCommand.write',
      name: t('remote-command:cancel.do'),
      icon: <IconX size={15} aria-hidden />,
      run: (chosen, clear) => askCancel(posId ? ofMachine(chosen, posId) : chosen, clear),
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
