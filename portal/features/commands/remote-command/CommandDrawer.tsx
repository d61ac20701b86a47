import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type RemoteCommand, remoteCommands } from '#contract/commands/remote-command.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant, useMerchantOf } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { DetailDrawer, DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { type Fact, Facts } from '#portal/ui/value/Facts.tsx'
import { commandStatusLooks, connectionLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { CommandProgress } from './CommandProgress.tsx'
import { CommandResult } from './CommandResult.tsx'
import common from './CommandText.module.css'
import { useCommandName } from './commandNames.ts'
import { canBeCancelled, isEnded } from './commandState.ts'
import { ParameterFacts } from './ParameterFacts.tsx'

const isId = (text: string | undefined) => /^[0-9a-f-]{36}$/.test(text ?? '')
const reported = (facts: readonly Fact[]) => facts.filter(({ value }) => value !== null && value !== undefined)

/** One command in full; it can be cancelled until its machine has started it. */
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
                  dismiss: { how: 'keep' },
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

/** The server resends it until the machine accepts it. */
const isRepeated = (command: RemoteCommand) =>
  !isEnded(command) &&
  command.startedAt === null &&
  command.attempts < command.maximumAttempts &&
  command.sentAt !== null

/** Whole seconds from the machine's start to its end. */
function secondsTaken({ startedAt, executedAt }: RemoteCommand): number | undefined {
  const begun = instantOf(startedAt)
  const ended = instantOf(executedAt)
  return begun && ended ? Math.max(0, Math.round((ended.getTime() - begun.getTime()) / 1000)) : undefined
}

function CommandFacts({ command }: { command: RemoteCommand }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const { currency } = useMerchantOf(command.merchantId)
  const { timeZone, posId } = command
  const exact = (at: string | null) => at && <When at={at} as="exact" timeZone={timeZone} />
  const seconds = secondsTaken(command)
  return (
    <>
      <DrawerPart name={t('part.command')}>
        <Facts
          facts={reported([
            { name: t('column.by'), value: command.createdBy ?? t('ui:provider') },
            {
              name: t('fact.info'),
              value: command.resultInfo && (
                <Text span className="breaks">
                  {command.resultInfo}
                </Text>
              ),
            },
            { name: t('fact.id'), value: <CopyId value={command.id} isShort /> },
          ])}
        />
        <ParameterFacts parameters={command.parameters} currency={currency} />
      </DrawerPart>
      <DrawerPart name={t('part.course')} note={timeZone}>
        {!isEnded(command) && (
          <Text mb="xs" c="dimmed">
            <CommandProgress command={command} />
          </Text>
        )}
        <Facts
          facts={reported([
            { name: t('column.set'), value: exact(command.createdAt) },
            { name: t('column.start'), value: exact(command.notBefore) },
            { name: t('column.end'), value: exact(command.expiresAt) },
            {
              name: t('column.attempts'),
              value: t('attempts', {
                number: format.number(command.attempts),
                most: format.number(command.maximumAttempts),
              }),
            },
            { name: t('fact.sent'), value: exact(command.sentAt) },
            { name: t('fact.next'), value: isRepeated(command) ? exact(command.nextAttemptAt) : null },
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
                <PlaceLink place={{ to: '/devices/$posId', params: { posId } }} className={`quiet ${common.strong}`}>
                  {command.posName}
                </PlaceLink>
              ),
            },
            { name: t('fact.serial'), value: <CopyId value={command.posSerial} /> },
            { name: t('column.merchant'), value: command.merchantName },
            { name: t('fact.connection'), value: <StatusBadge of={connectionLooks} value={command.posConnection} /> },
            { name: t('fact.seen'), value: exact(command.posLastSeenAt) },
          ]}
        />
      </DrawerPart>
    </>
  )
}
