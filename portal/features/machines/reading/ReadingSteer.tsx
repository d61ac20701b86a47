import { ActionIcon, Flex } from '@mantine/core'
import {
  IconChartLine,
  IconChevronLeft,
  IconChevronRight,
  IconTable,
  IconZoomIn,
  IconZoomOut,
  IconZoomReset,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { moved } from './readingWindow.ts'

const steps = [
  ['earlier', IconChevronLeft],
  ['out', IconZoomOut],
  ['in', IconZoomIn],
  ['later', IconChevronRight],
] as const

interface Props {
  window: [number, number]
  whole: { from: number; to: number }
  look: (window: [number, number]) => void
  showWhole: () => void
  isTable: boolean
  setTable: (isTable: boolean) => void
}

/** Moves and zooms the shown part of a series, and swaps its chart for a table. */
export function ReadingSteer({ window, whole, look, showWhole, isTable, setTable }: Props) {
  const { t } = useTranslation(['reading', 'ui'])
  const isWhole = window[0] === whole.from && window[1] === whole.to
  return (
    <Flex component="fieldset" gap="snug">
      <legend className="unseen">{t('reading:part')}</legend>
      {steps.map(([how, Icon]) => (
        <ActionIcon
          key={how}
          variant="default"
          size={30}
          aria-label={t(`reading:steer.${how}`)}
          title={t(`reading:steer.${how}`)}
          disabled={how !== 'in' && isWhole}
          onClick={() => look(moved(window, how, whole))}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      ))}
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('reading:steer.whole')}
        title={t('reading:steer.whole')}
        disabled={isWhole}
        onClick={showWhole}
      >
        <IconZoomReset size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={30}
        aria-pressed={isTable}
        aria-label={t(isTable ? 'ui:chart.chart' : 'ui:chart.table')}
        title={t(isTable ? 'ui:chart.chart' : 'ui:chart.table')}
        onClick={() => setTable(!isTable)}
      >
        {isTable ? <IconChartLine size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
      </ActionIcon>
    </Flex>
  )
}
