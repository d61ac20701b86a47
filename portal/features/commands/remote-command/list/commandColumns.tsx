import { type RemoteCommand, remoteCommandColumns, remoteCommandOrds } from '#contract/commands/remote-command.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { CommandProgress } from '../CommandProgress.tsx'
import { CommandResult, hasResult } from '../CommandResult.tsx'
import common from '../CommandText.module.css'
import { creditOf, isEnded } from '../commandState.ts'
import classes from './CommandList.module.css'

interface CommandColumnOptions {
  isOfMachine: boolean
  nameOf: (type: number) => string
}

/** Columns of commands; the machine's own page leaves the machine out, and has room for the time of execution. */
export const columnsOf = ({ isOfMachine, nameOf }: CommandColumnOptions) =>
  recordColumns<RemoteCommand>(remoteCommandColumns, remoteCommandOrds, ({ t, format }: Say) => ({
    aside: 'createdAt',
    lines: ['posName', 'result', 'by'],
    hidden: ['notBefore', 'expiresAt', 'startedAt', ...(isOfMachine ? [] : ['executedAt'])],
    offCards: ['attempts', 'executedAt'],
    without: isOfMachine ? ['posName'] : [],
    looks: {
      type: {
        label: undefined,
        cell: (command) => (
          <span className={classes.two}>
            <span className={common.strong}>{nameOf(command.type)}</span>
            <Credit command={command} />
          </span>
        ),
      },
      posName: { isFixed: true, cell: (command) => <Machine command={command} /> },
      result: { cell: (command) => <Result command={command} /> },
      attempts: {
        number: undefined,
        cell: ({ attempts, maximumAttempts }) =>
          t('remote-command:attempts', { number: format.number(attempts), most: format.number(maximumAttempts) }),
      },
      by: { cell: ({ createdBy }) => <span className={classes.who}>{createdBy ?? t('ui:provider')}</span> },
    },
  }))

/** The amount of a command that adds credit. */
function Credit({ command }: { command: RemoteCommand }) {
  const format = useFormat()
  const merchants = useMerchants()
  const amount = creditOf(command)
  const currency = merchants.find(({ id }) => id === command.merchantId)?.currency
  return amount !== undefined && currency ? <span className={common.fine}>{format.money(amount, currency)}</span> : null
}

/** A link to the machine, with its merchant below under all merchants. */
function Machine({ command: { posId, posName, merchantName } }: { command: RemoteCommand }) {
  const { isAll } = useMerchant()
  return (
    <span className={`${classes.two} ${classes.machine} ${classes.inline}`}>
      <PlaceLink className="quiet" place={{ to: '/devices/$posId', params: { posId } }}>
        {posName}
      </PlaceLink>
      {isAll && <span className={common.fine}>{merchantName}</span>}
    </span>
  )
}

/** What the machine answered; its progress while it has not. */
function Result({ command }: { command: RemoteCommand }) {
  if (hasResult(command))
    return (
      <span className={`${classes.two} ${classes.inline}`}>
        <CommandResult command={command} />
        {command.resultInfo && <span className={common.fine}>{command.resultInfo}</span>}
      </span>
    )
  if (isEnded(command)) return null
  return (
    <span className={common.fine}>
      <CommandProgress command={command} />
    </span>
  )
}
