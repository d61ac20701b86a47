import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type RemoteCommand, remoteCommands } from '#contract/remote-command.ts'
import { queryOf, useCommand } from '../../app/api.ts'
import { instantOf, useFormat } from '../../app/i18n/format.ts'
import { useMerchant, useMerchantOf } from '../../app/merchant.tsx'
import { useSession } from '../../app/session/useSession.ts'
import { Amount } from '../../ui/Amount.tsx'
import { useConfirm } from '../../ui/ConfirmDialog.tsx'
import { CopyId } from '../../ui/CopyId.tsx'
import { DetailDrawer, DrawerPart } from '../../ui/DetailDrawer.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { commandStatusLooks } from '../../ui/looks.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import { CommandResult } from './CommandResult.tsx'
import { useCommandName } from './commandNames.ts'
import { canBeCancelled, creditOf } from './commandState.ts'
import classes from './RemoteCommand.module.css'

const isId = (text: string | undefined) => /^[0-9a-f-]{36}$/.test(text ?? '')
const reported = (facts: readonly Fact[]) => facts.filter(({ value }) => value !== null && value !== undefined)

/** One command in full, to be cancelled as long as its machine has not begun. */
export function CommandDrawer({ commandId, close }: { commandId: string | undefined; close: () => void }) {
  const { t } = useTranslation('remote-command')
  const nameOf = useCommandName()
  const merchant = useMerchant()
  const { me } = useSession()
  const { ask, dialog } = useConfirm()
  const cancel = useCommand(remoteCommands.cancelRemoteCommand, { says: 'remote-command:cancel.done' })
  const isOpen = isId(commandId)
  const { data, error, refetch } = useQuery({
    ...queryOf(remoteCommands.getRemoteCommand, {
      params: { merchantId: merchant.id, commandId: commandId ?? '' },
    }),
    enabled: isOpen,
  })
  const command = isOpen ? data : undefined
  const mayCancel = command && canBeCancelled(command) && me && roleMay(me.role, 'remoteCommand.write')
  return (
    <>
      <DetailDrawer
        isOpen={isOpen}
        close={close}
        title={command && nameOf(command.type)}
        badges={
          command && (
            <>
              <StatusBadge of={commandStatusLooks} value={command.status} />
              <CommandResult command={command} />
            </>
          )
        }
        error={command ? undefined : error}
        retry={refetch}
        actions={
          mayCancel && (
            <Button
              variant="default"
              onClick={() =>
                ask({
                  title: t('cancel.title'),
                  consequence: t('cancel.consequence', { command: nameOf(command.type), machine: command.posName }),
                  confirm: t('cancel.confirm'),
                  isDanger: true,
                  act: () => cancel.mutateAsync({ params: { merchantId: command.merchantId, commandId: command.id } }),
                })
              }
            >
              {t('cancel.do')}
            </Button>
          )
        }
      >
        {command && <CommandFacts command={command} />}
      </DetailDrawer>
      {dialog}
    </>
  )
}

/** Whole seconds from the machine's beginning to its end. */
function secondsTaken({ startedAt, executedAt }: RemoteCommand): number | undefined {
  const [begun, ended] = [instantOf(startedAt), instantOf(executedAt)]
  return begun && ended ? Math.max(0, Math.round((ended.getTime() - begun.getTime()) / 1000)) : undefined
}

function CommandFacts({ command }: { command: RemoteCommand }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const { currency } = useMerchantOf(command.merchantId)
  const { timeZone, posId, merchantId } = command
  const exact = (at: string | null) => at && <When at={at} as="exact" timeZone={timeZone} />
  const credit = creditOf(command)
  const seconds = secondsTaken(command)
  return (
    <>
      <DrawerPart name={t('part.command')}>
        <Facts
          facts={reported([
            {
              name: t('fact.amount'),
              value: credit !== undefined && currency ? <Amount minor={credit} currency={currency} /> : null,
            },
            { name: t('column.by'), value: command.createdBy },
            { name: t('column.sent'), value: exact(command.createdAt) },
            { name: t('fact.info'), value: command.resultInfo },
            { name: t('fact.id'), value: <CopyId value={command.id} isShort /> },
          ])}
        />
      </DrawerPart>
      <DrawerPart name={t('part.course')} note={timeZone}>
        <Facts
          facts={reported([
            { name: t('fact.start'), value: exact(command.notBefore) },
            { name: t('fact.expires'), value: exact(command.expiresAt) },
            { name: t('column.attempts'), value: format.number(command.attempts) },
            { name: t('fact.started'), value: exact(command.startedAt) },
            { name: t('column.executed'), value: exact(command.executedAt) },
            {
              name: t('fact.took'),
              value: seconds === undefined ? null : t('seconds', { count: seconds, number: format.number(seconds) }),
            },
          ])}
        />
      </DrawerPart>
      <DrawerPart name={t('part.machine')}>
        <Facts
          facts={[
            {
              name: t('column.machine'),
              value: (
                <PlaceLink
                  place={{ to: '/devices/$posId', params: { posId }, search: { merchant: merchantId } }}
                  className={`${classes.place} ${classes.strong}`}
                >
                  {command.posName}
                </PlaceLink>
              ),
            },
            { name: t('fact.serial'), value: <CopyId value={command.posSerial} /> },
            { name: t('column.merchant'), value: command.merchantName },
          ]}
        />
      </DrawerPart>
    </>
  )
}
