import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { remoteCommands } from '#contract/commands/remote-command.ts'
import { commandTypes } from '#contract/vocabulary/remote-command.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import { commandIcons } from './commandIcons.ts'
import type { CommandTarget } from './commandTarget.ts'
import { useIsOffered } from './useIsOffered.ts'
import type { UsualCommand } from './usualCommands.ts'

const CommandSheet = lazyPart(() => import('./CommandSheet.tsx'), ['remote-command', 'errors'])

const { restart } = commandTypes

/** The sheet of a machine's commands. `open` shows it; with a command, at the confirmation of that one. */
function useCommandSheet(machine: CommandTarget) {
  const [shown, show] = useState<{ first?: UsualCommand }>()
  const close = () => show(undefined)
  return {
    open: (first?: UsualCommand) => show(first ? { first } : {}),
    sheet: shown && (
      <Part failed={(again) => <PartFailure again={again} close={close} />}>
        <RecordMerchant id={machine.merchantId}>
          <CommandSheet machine={machine} first={shown.first} close={close} />
        </RecordMerchant>
      </Part>
    ),
  }
}

interface Props {
  machine: CommandTarget
  /** Send command is not the main action of the place. */
  isQuiet?: boolean
}

/** Restart and all usual commands of one machine, for users who may send commands. */
export function CommandButtons({ machine, isQuiet = false }: Props) {
  const { t } = useTranslation(['machine', 'vocabulary'])
  const maySend = useMay(remoteCommands.sendRemoteCommand)
  const isOffered = useIsOffered()
  const { open, sheet } = useCommandSheet(machine)
  const Icon = commandIcons[restart]
  if (!maySend) return null
  return (
    <>
      {isOffered(restart) && (
        <Button
          variant="default"
          aria-haspopup="dialog"
          leftSection={<Icon size={15} aria-hidden />}
          onClick={() => open(restart)}
        >
          {t('vocabulary:commandType.restart')}
        </Button>
      )}
      <Button variant={isQuiet ? 'default' : 'filled'} aria-haspopup="dialog" onClick={() => open()}>
        {t('machine:sendCommand')}
      </Button>
      {sheet}
    </>
  )
}

/** Restarts the machine of a row. */
export function RestartRowButton({ machine }: { machine: CommandTarget }) {
  const { t } = useTranslation('vocabulary')
  const { open, sheet } = useCommandSheet(machine)
  const Icon = commandIcons[restart]
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-haspopup="dialog"
        aria-label={`${t('commandType.restart')}: ${machine.name}`}
        title={t('commandType.restart')}
        onClick={() => open(restart)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
      {sheet}
    </>
  )
}
