import { useTranslation } from 'react-i18next'
import type { VpMachine } from '#contract/configurations/vp-configuration.ts'
import { commandResultLooks, commandStatusLooks } from '#portal/ui/value/looks.ts'
import { Badge, StatusBadge } from '#portal/ui/value/StatusBadge.tsx'

/** Whether a machine has the saved configuration, by its own report. */
export function VpSync({
  machine: { sync, editedOn, otherTarget },
}: {
  machine: Pick<VpMachine, 'sync' | 'editedOn' | 'otherTarget'>
}) {
  const { t } = useTranslation('vp-configuration')
  if (sync === 'sync')
    return (
      <Badge tone="ok" mark="check">
        {t('sync.sync')}
      </Badge>
    )
  if (sync === 'none')
    return (
      <Badge tone="mute" mark="dash">
        {otherTarget === null ? t('sync.none') : t('sync.other', { name: otherTarget })}
      </Badge>
    )
  return editedOn === 'device' ? (
    <Badge tone="warn" mark="triangle">
      {t('sync.device')}
    </Badge>
  ) : (
    <Badge tone="warn" mark="clock">
      {t('sync.pending')}
    </Badge>
  )
}

/** The command that carried the configuration last. */
export function VpCommandState({ command }: Pick<VpMachine, 'command'>) {
  const { t } = useTranslation('vocabulary')
  if (!command) return null
  const { status, result } = command
  return (
    <StatusBadge
      of={commandStatusLooks}
      value={status}
      detail={result !== null && result !== 0 ? t(commandResultLooks[result].word) : undefined}
    />
  )
}
