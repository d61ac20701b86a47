import { NativeSelect, Stack } from '@mantine/core'
import { IconChartBar, IconChartLine, IconChartPie, IconTable, type TablerIcon } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '#portal/ui/value/Segments.tsx'
import type { ListState } from '../state/listState.ts'
import type { Column } from '../types.ts'
import { kindsOf, measureOf, measuresOf } from './chartData.ts'
import classes from './ListChart.module.css'

const icons: Record<ListState['chart'], TablerIcon> = {
  none: IconTable,
  bar: IconChartBar,
  line: IconChartLine,
  pie: IconChartPie,
}

interface Props<T> {
  columns: readonly Column<T>[]
  state: Pick<ListState, 'chart' | 'measure'>
  change: (part: Pick<ListState, 'chart' | 'measure'>) => void
}

/** Switches a list between table only and table with a chart, and selects the chart's measure. */
function ChartSwitchOnce<T>({ columns, state, change }: Props<T>) {
  const { t } = useTranslation(['ui', 'list'])
  const measures = measuresOf(columns)
  const measure = measureOf(columns, state.measure)
  if (!measure) return null
  const kinds = ['none', ...kindsOf(measure)] as const
  return (
    <div className={`${classes.tools} no-print`}>
      {state.chart !== 'none' && measures.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('list:chart.measure')}
          value={measure.id}
          data={measures.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => change({ chart: state.chart, measure: event.currentTarget.value })}
        />
      )}
      <Segments
        name={t('list:chart.show')}
        value={kinds.find((kind) => kind === state.chart) ?? 'bar'}
        choose={(chart) => change({ chart, measure: state.measure })}
        options={kinds.map((value) => {
          const Icon = icons[value]
          const name = value === 'none' ? t('list:chart.table') : t(`chart.${value}`)
          return {
            value,
            label: (
              <Stack component="span" gap={0} align="center" justify="center" h={18} title={name}>
                <Icon size={15} aria-hidden />
                <span className="unseen">{name}</span>
              </Stack>
            ),
          }
        })}
      />
    </div>
  )
}

export const ChartSwitch = memo(ChartSwitchOnce) as typeof ChartSwitchOnce
