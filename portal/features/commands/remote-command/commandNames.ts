import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { commandTypeNames } from '#contract/vocabulary/remote-command.ts'

const names: Record<number, string> = commandTypeNames

/** The name of a command type; an unknown number is shown as it is. */
export function useCommandName() {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  return useCallback(
    (type: number) =>
      names[type] ? t(`vocabulary:commandType.${names[type]}`) : t('remote-command:unknownType', { type }),
    [t],
  )
}
