import { Box, Center, UnstyledButton } from '@mantine/core'
import { IconChartBar, IconTable } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart, Part } from '../part/lazyPart.tsx'
import { Segments } from '../value/Segments.tsx'
import classes from './Chart.module.css'
import type { ChartProps } from './chartProps.ts'
import numbers from './numberTable.module.css'

const ChartCanvas = lazyPart(() => import('./ChartCanvas.tsx'))

/** A chart that loads when it is shown, and a table of the same numbers at one click. */
export function Chart(props: ChartProps) {
  const { kind = 'bar', kinds = [kind], height = 260, series, categories } = props
  const { t } = useTranslation('ui')
  const [kindChoice, setKindChoice] = useState(kind)
  const [isTable, setTable] = useState(false)
  const isEmpty = categories.length === 0 || series.every(({ values }) => values.every((value) => !value))
  const drawnKind = kinds.includes(kindChoice) ? kindChoice : kind
  return (
    <div className={classes.chart} data-chart>
      <div className={`${classes.tools} no-print`} data-many={kinds.length > 1 || undefined}>
        {kinds.length > 1 && !isTable && (
          <Segments
            name={t('chart.kind')}
            value={drawnKind}
            choose={setKindChoice}
            options={kinds.map((value) => ({ value, label: t(`chart.${value}`) }))}
          />
        )}
        <UnstyledButton
          className={`${classes.switch} lights inks`}
          aria-label={t(isTable ? 'chart.chart' : 'chart.table')}
          title={t(isTable ? 'chart.chart' : 'chart.table')}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? <IconChartBar size={16} aria-hidden /> : <IconTable size={16} aria-hidden />}
        </UnstyledButton>
      </div>
      {isTable ? (
        <ChartTable {...props} />
      ) : isEmpty && !props.band ? (
        <Center component="p" c="dimmed" style={{ height }}>
          {t('chart.empty')}
        </Center>
      ) : (
        <Part fallback={<Box bdrs="md" bg="var(--sunken)" opacity={0.6} style={{ height }} />}>
          <div role="img" aria-label={props.label} style={{ height }}>
            <ChartCanvas {...props} kind={drawnKind} height={height} />
          </div>
        </Part>
      )}
    </div>
  )
}

function ChartTable({ label, categories, categoryName, series, band, format }: ChartProps) {
  return (
    <div className={classes.scroll} role="group" tabIndex={0} aria-label={label}>
      <table className={numbers.table}>
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{categoryName}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {band && <th scope="col">{band.name}</th>}
          </tr>
        </thead>
        <tbody>
          {categories.map((category, index) => (
            <tr key={category}>
              <th scope="row">{category}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{typeof values[index] === 'number' ? format(values[index]) : ''}</td>
              ))}
              {band && (
                <td>
                  {format(band.low[index] ?? 0)} – {format(band.high[index] ?? 0)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
