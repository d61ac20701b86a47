import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Chart } from '#portal/ui/chart/Chart.tsx'
import { Part } from './Part.tsx'

const hours = ['08', '09', '10', '11', '12']
const kinds = ['bar', 'line', 'pie'] as const

/** Bars, lines and a pie, with a band and an incomplete category; with one value, and without any. */
export function ChartsSection() {
  const { t } = useTranslation('kit')
  const { number: format } = useFormat()
  const common = { categoryName: t('chart.hour'), unit: t('card.sold'), format, height: 180 }
  const sold = { name: t('card.sold'), values: [4, 9, 7, null, 12] }
  const lost = { name: t('card.lost'), values: [1, 2, 0, 3, 1] }
  return (
    <SimpleGrid minColWidth="min(100%, 320px)" autoFlow="auto-fit" spacing="wide">
      {kinds.map((kind) => (
        <Part key={kind} caption={kind}>
          <Chart
            {...common}
            label={`${t('section.charts')}: ${kind}`}
            kind={kind}
            kinds={kinds}
            categories={hours}
            series={[sold, lost]}
            partial={4}
          />
        </Part>
      ))}
      <Part caption={t('chart.band')}>
        <Chart
          {...common}
          label={t('chart.band')}
          categories={hours}
          series={[sold]}
          band={{ name: t('chart.usual'), low: [2, 5, 5, 6, 8], high: [6, 10, 9, 11, 14] }}
        />
      </Part>
      <Part caption={t('chart.one')}>
        <Chart
          {...common}
          label={t('chart.one')}
          kind="pie"
          categories={['08']}
          series={[{ name: t('card.sold'), values: [4] }]}
        />
      </Part>
      <Part caption={t('chart.none')}>
        <Chart {...common} label={t('chart.none')} categories={[]} series={[]} />
      </Part>
    </SimpleGrid>
  )
}
