import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { View } from './rowWindow.ts'

interface Props {
  view: View
  /** The number of rows in the scroll. */
  rowCount: number
  /** Their number, as text. */
  total: string
}

/** Shows which rows of a scrolled list are in view; only this is rendered again while scrolling. */
export function InView({ view, rowCount, total }: Props) {
  const { t } = useTranslation('list')
  const format = useFormat()
  const { first, last } = useSyncExternalStore(view.subscribe, view.now)
  const placeOf = (index: number) => format.number(Math.min(index + 1, rowCount))
  return <span>{t('pages.range', { from: placeOf(first), to: placeOf(last), total })}</span>
}
