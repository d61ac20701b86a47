import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { useAlarmName } from '../alarm/alarmName.ts'

/** Names of codes and severities in alarm settings. */
export function useSettingWords() {
  const { t } = useTranslation(['alarm-setting', 'vocabulary'])
  const alarmName = useAlarmName()
  const nameOf = useCallback(
    (code: string) => (code === anyCode ? t('alarm-setting:allOthers') : alarmName(code)),
    [t, alarmName],
  )
  const criticityName = useCallback(
    (value: number | null, none: 'never' | 'itsOwn') => {
      const name = Object.entries(alarmCriticities).find(([, each]) => each === value)?.[0]
      return name ? t(`vocabulary:alarmCriticity.${name}`) : t(`alarm-setting:${none}`)
    },
    [t],
  )
  return { nameOf, criticityName }
}
