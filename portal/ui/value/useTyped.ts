import { useDebouncedValue } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { useFormat } from '#portal/app/i18n/format.ts'

/** Records offered at once; the others are found by what the user types. */
export const offered = 20

/** The search that a text starts once typing pauses; undefined with fewer letters than a search takes. */
export function useTyped(text: string): string | undefined {
  const [typed] = useDebouncedValue(text.trim(), 250)
  return typed.length >= enoughLetters ? typed : undefined
}

interface Answer {
  isPending: boolean
  error: unknown
  /** Records shown. */
  shown: number
  /** Records found. */
  total: number
}

/** Says how a search ended: that there are more records than shown, or why there is none. */
export function useFoundSentence() {
  const { t } = useTranslation('ui')
  const format = useFormat()
  return ({ isPending, error, shown, total }: Answer): string | undefined => {
    if (isPending) return t('found.busy')
    if (error) return t('found.failed')
    if (total === 0) return t('found.none')
    if (total <= shown) return undefined
    return t('found.more', { shown: format.number(shown), total: format.number(total) })
  }
}
