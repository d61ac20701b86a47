import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { commandTypes } from '#contract/vocabulary/remote-command.ts'

/** The name of a command type; an unknown number is shown as it is. */
export function useCommandName() {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  return useCallback(
    (type: number) => {
      const name = nameOf(commandTypes, type)
      return name ? t(`vocabulary:commandType.${name}`) : t('remote-command:unknownType', { type })
    },
    [t],
  )
}
