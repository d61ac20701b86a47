import { useTranslation } from 'react-i18next'
import type { RemoteCommand } from '#contract/commands/remote-command.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useNowSince } from '#portal/ui/time/When.tsx'
import { stageOfCommand } from './commandState.ts'

/**
 * The known progress of a command: whether its machine is reachable, was notified, or has accepted it.
 * Nothing for a finished command; its result shows the rest.
 */
export function CommandProgress({ command }: { command: RemoteCommand }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const now = useNowSince(instantOf(command.notBefore))
  const stage = stageOfCommand(command, now)
  const ago = (at: string | null) => {
    const moment = instantOf(at)
    return moment && format.relative(moment, now)
  }
  const lastSeen = ago(command.posLastSeenAt)
  const absence = lastSeen === undefined ? t('stage.neverSeen') : t('stage.awaySince', { time: lastSeen })
  switch (stage) {
    case 'planned': {
      const start = instantOf(command.notBefore) ?? now
      return t('stage.planned', { time: format.instant(start, 'minute', command.timeZone) })
    }
    case 'waits':
      return absence
    case 'queued':
      return t('stage.queued')
    case 'sent':
      return t('stage.sent', { time: ago(command.sentAt) })
    case 'unanswered':
      return `${t('stage.sent', { time: ago(command.sentAt) })} ${absence}`
    case 'claimed': {
      const { progress } = command
      if (progress) {
        const done = progress.phase === 'downloading' && progress.percent !== null
        return `${t(`phase.${progress.phase}`)}${done ? ` · ${format.percent((progress.percent ?? 0) / 100)}` : ''}`
      }
      return t('stage.claimed', { time: ago(command.startedAt) })
    }
    case 'ended':
      return null
  }
}
