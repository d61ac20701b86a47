import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** Names of parts and sensors; a maker's own names are shown as received. */
export function useSensorWords() {
  const { i18n } = useTranslation('sensor')
  return useCallback(
    (kind: 'part' | 'name', word: string): string =>
      i18n.exists(`sensor:${kind}.${word}`) ? i18n.t(`sensor:${kind}.${word}`) : word,
    [i18n],
  )
}
