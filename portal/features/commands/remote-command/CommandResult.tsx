import { useTranslation } from 'react-i18next'
import type { RemoteCommand } from '#contract/commands/remote-command.ts'
import { remoteCommandResults } from '#contract/vocabulary/remote-command.ts'
import { commandResultLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { isEnded } from './commandState.ts'

/** Whether there is more detail than the status. */
export const hasResult = ({ result, resultInfo, cancelRequested }: RemoteCommand) =>
  cancelRequested || Boolean(resultInfo) || (result !== null && result !== remoteCommandResults.success)

/** The reason of its end; a success needs none. */
export function CommandResult({ command }: { command: RemoteCommand }) {
  const { t } = useTranslation('remote-command')
  const { result, cancelRequested } = command
  if (!isEnded(command)) return cancelRequested ? t('cancelling') : null
  if (result === null || result === remoteCommandResults.success) return null
  return <StatusBadge of={commandResultLooks} value={result} />
}
