import { Box, Stack } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Growth } from '#contract/insight/admin-stats.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { useRevealed } from './revealed.ts'

const Chart = lazyPart(async () => ({ default: (await import('#portal/ui/chart/Chart.tsx')).Chart }))
const height = 240

/** The total and the additions of each month. While hidden, the shape is hidden too. */
export function GrowthCard({ of, growth }: { of: 'merchants' | 'machines'; growth: readonly Growth[] | undefined }) {
  const { t } = useTranslation('admin-dashboard')
  const format = useFormat()
  const [isRevealed] = useRevealed()
  const drawn = useMemo(() => {
    const months = new Intl.DateTimeFormat(format.locale, { month: 'short', year: '2-digit', timeZone: 'UTC' })
    return (
      growth && {
        categories: growth.map(({ month }) => months.format(new Date(`${month}-15T00:00:00Z`))),
        series: [
          {
            name: t('growth.total'),
            values: growth.map(({ total }) => total),
            kind: 'line' as const,
            color: 'gold-fill',
          },
          { name: t('growth.added'), values: growth.map(({ added }) => added), kind: 'bar' as const, color: 'ink-3' },
        ],
      }
    )
  }, [growth, format.locale, t])
  const waiting = <Box bdrs="md" style={{ height }} />
  return (
    <Card title={t(`growth.${of}`)}>
      {!isRevealed ? (
        <Stack
          component="p"
          gap={0}
          align="center"
          justify="center"
          bdrs="md"
          bg="var(--sunken)"
          c="dimmed"
          style={{ height }}
        >
          {t('hidden')}
        </Stack>
      ) : drawn ? (
        <Part fallback={waiting}>
          <Chart
            {...drawn}
            label={t(`growth.${of}`)}
            unit={t(`growth.unit.${of}`)}
            categoryName={t('growth.month')}
            format={format.number}
            partial={drawn.categories.length - 1}
            height={height}
          />
        </Part>
      ) : (
        waiting
      )}
    </Card>
  )
}
