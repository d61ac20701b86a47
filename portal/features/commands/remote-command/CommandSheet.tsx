import { Box, Button, Text, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { remoteCommands } from '#contract/commands/remote-command.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { nameOf as typeName } from '#contract/vocabulary/numbers.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { isReachable } from '#domain/commands/command-stage.ts'
import { useCommand } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { Sheet } from '#portal/ui/dialog/Sheet.tsx'
import { Note } from '#portal/ui/page/Note.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './CommandSheet.module.css'
import { commandIcons } from './commandIcons.ts'
import { useCommandName } from './commandNames.ts'
import type { CommandTarget } from './commandTarget.ts'
import { placeOfSending } from './placeOfSending.ts'
import { graveCommands, readRefused } from './sending.ts'
import { useIsOffered } from './useIsOffered.ts'
import { type UsualCommand, usualCommands } from './usualCommands.ts'

interface Props {
  machine: CommandTarget
  /** Its confirmation comes first; the other commands are one step behind it. */
  first?: UsualCommand | undefined
  close: () => void
}

/** The usual commands of one machine, and one confirmation. Several machines and all other commands have the wizard. */
export default function CommandSheet({ machine, first, close }: Props) {
  const { t } = useTranslation(['remote-command', 'vocabulary', 'ui'])
  const nameOf = useCommandName()
  const isOffered = useIsOffered()
  const [type, choose] = useState(first)
  if (type) return <Confirm machine={machine} type={type} back={() => choose(undefined)} close={close} />
  return (
    <Sheet title={t('remote-command:sheet.title', { machine: machine.name })} close={close}>
      <Box component="ul" mx="-md" className={classes.commands}>
        {usualCommands(isOffered).map((one) => {
          const Icon = commandIcons[one]
          return (
            <li key={one}>
              <UnstyledButton className={classes.command} onClick={() => choose(one)}>
                <Icon size={22} stroke={1.6} aria-hidden />
                <span>{nameOf(one)}</span>
                <IconChevronRight size={16} aria-hidden className={classes.chevron} />
              </UnstyledButton>
            </li>
          )
        })}
      </Box>
      <PlaceLink place={placeOfSending([machine])} className={classes.all} onClick={close}>
        {t('remote-command:sheet.all')}
      </PlaceLink>
    </Sheet>
  )
}

interface ConfirmProps {
  machine: CommandTarget
  type: UsualCommand
  back: () => void
  close: () => void
}

function Confirm({ machine, type, back, close }: ConfirmProps) {
  const { t } = useTranslation(['remote-command', 'errors', 'ui'])
  const nameOf = useCommandName()
  const [refusal, setRefusal] = useState<ErrorCode>()
  const send = useCommand(remoteCommands.sendRemoteCommand, { isQuiet: true })
  const name = typeName(remoteCommandTypes, type)
  const act = async () => {
    const body = { machines: { ids: [machine.id] }, order: { type, parameters: {} } }
    try {
      const { refused } = await send.mutateAsync({ params: { merchantId: machine.merchantId }, body, isWhole: true })
      const [first] = refused
      if (first) return setRefusal(first.code)
      toast.success('remote-command:sheet.sent', { command: nameOf(type), machine: machine.name })
      close()
    } catch (error) {
      const [first] = error instanceof ApiError ? readRefused(error) : []
      if (first) setRefusal(first.code)
      else toast.error(error)
    }
  }
  return (
    <Sheet
      title={nameOf(type)}
      close={close}
      footer={
        <>
          <Button variant="default" data-autofocus disabled={send.isPending} onClick={back}>
            {t('remote-command:sheet.back')}
          </Button>
          <Button
            color={graveCommands.includes(type) ? 'crit' : undefined}
            loading={send.isPending}
            disabled={refusal !== undefined}
            onClick={() => void act()}
          >
            {nameOf(type)}
          </Button>
        </>
      }
    >
      <Text mb="tight" fw={600}>
        {machine.name}
      </Text>
      <Text mb="sm" c="dimmed">
        {t(`remote-command:explain.${name}`)}
      </Text>
      {!isReachable(machine.connection) && (
        <Note tone="warn" mb="sm" bdrs="inner" fz="inherit">
          {t('remote-command:sheet.away')}
        </Note>
      )}
      {refusal && (
        <Note tone="warn" mb="sm" bdrs="inner" fz="inherit" role="alert">
          {t(`errors:${refusal}`)}
        </Note>
      )}
    </Sheet>
  )
}
