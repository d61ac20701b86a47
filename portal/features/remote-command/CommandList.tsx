import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type RemoteCommand, remoteCommands } from '#contract/remote-command.ts'
import { remoteCommandStatuses, sendableCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { formatMoney } from '#domain/money.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant, useMerchants } from '../../app/merchant.tsx'
import { useSession } from '../../app/session/useSession.ts'
import { useOpenDetail } from '../../ui/DetailDrawer.tsx'
import { ListScreen } from '../../ui/list/ListScreen.tsx'
import type { Column, Filter } from '../../ui/list/types.ts'
import { commandStatusLooks } from '../../ui/looks.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import { CommandDrawer } from './CommandDrawer.tsx'
import { CommandResult, hasResult } from './CommandResult.tsx'
import { useCommandName } from './commandNames.ts'
import { creditOf } from './commandState.ts'
import classes from './RemoteCommand.module.css'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const keyOf = ({ id }: RemoteCommand) => id

/** Commands that were sent to all machines, or to one. */
export function CommandList({ posId }: { posId?: string }) {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  const merchant = useMerchant()
  const merchants = useMerchants()
  const format = useFormat()
  const nameOf = useCommandName()
  const { me } = useSession()
  const { key, open, close } = useOpenDetail('command')
  const columns = useMemo((): Column<RemoteCommand>[] => {
    const credit = (command: RemoteCommand) => {
      const [amount, currency] = [creditOf(command), merchants.find(({ id }) => id === command.merchantId)?.currency]
      return amount !== undefined && currency ? formatMoney(amount, currency) : undefined
    }
    const machine: Column<RemoteCommand>[] = [
      {
        id: 'posName',
        name: t('remote-command:column.machine'),
        sort: true,
        isFixed: true,
        card: 'line',
        cell: (command) => (
          <span className={`${classes.two} ${classes.inline}`}>
            <PlaceLink
              className={classes.place}
              place={{
                to: '/devices/$posId',
                params: { posId: command.posId },
                search: { merchant: command.merchantId },
              }}
            >
              {command.posName}
            </PlaceLink>
            {merchant.isAll && <span className={classes.fine}>{command.merchantName}</span>}
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
            <span className={classes.strong}>{nameOf(command.type)}</span>
            {credit(command) && <span className={classes.fine}>{credit(command)}</span>}
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
        card: 'line',
        cell: (command) =>
          hasResult(command) ? (
            <span className={`${classes.two} ${classes.inline}`}>
              <CommandResult command={command} />
              {command.resultInfo && <span className={classes.fine}>{command.resultInfo}</span>}
            </span>
          ) : null,
      },
      {
        id: 'attempts',
        name: t('remote-command:column.attempts'),
        align: 'end',
        card: 'none',
        cell: ({ attempts }) => format.number(attempts),
      },
      {
        id: 'by',
        name: t('remote-command:column.by'),
        card: 'line',
        cell: ({ createdBy }) => <span className={classes.who}>{createdBy}</span>,
      },
      {
        id: 'createdAt',
        name: t('remote-command:column.sent'),
        sort: true,
        align: 'end',
        card: 'aside',
        cell: ({ createdAt, timeZone }) => <When at={createdAt} timeZone={timeZone} />,
      },
      {
        id: 'executedAt',
        name: t('remote-command:column.executed'),
        sort: true,
        // Beside the machines there is no room for it at once.
        isHidden: !posId,
        align: 'end',
        card: 'none',
        cell: ({ executedAt, timeZone }) => <When at={executedAt} timeZone={timeZone} />,
      },
    ]
  }, [t, format, merchant.isAll, merchants, nameOf, posId])
  const filters = useMemo(
    (): Filter[] => [
      {
        key: 'types',
        kind: 'multi',
        name: t('remote-command:column.command'),
        values: sendableCommandTypes.map(String),
        options: sendableCommandTypes.map((type) => ({ value: String(type), label: nameOf(type) })),
      },
      {
        key: 'statuses',
        kind: 'multi',
        name: t('remote-command:column.status'),
        values: Object.values(remoteCommandStatuses).map(String),
        options: Object.entries(remoteCommandStatuses).map(([name, value]) => ({
          value: String(value),
          label: t(`vocabulary:commandStatus.${name}`),
        })),
      },
    ],
    [t, nameOf],
  )
  return (
    <>
      <ListScreen
        id={posId ? 'machineCommands' : 'commands'}
        title={t('remote-command:parts.history')}
        isEmbedded
        exports="remoteCommands"
        row={remoteCommands.listRemoteCommands}
        params={{ merchantId: merchant.id }}
        fixed={posId ? { posIds: [posId] } : undefined}
        columns={columns}
        filters={filters}
        order={order}
        keyOf={keyOf}
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
    </>
  )
}
