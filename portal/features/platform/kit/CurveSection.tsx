import { SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { TimePoint } from '#portal/ui/chart/timeChartProps.ts'
import { Part as Lazy, lazyPart } from '#portal/ui/part/lazyPart.tsx'
import { Part } from './Part.tsx'

const TimeCanvas = lazyPart(() => import('#portal/ui/chart/TimeCanvas.tsx'))

const hour = 3_600_000
const height = 260
const from = Date.UTC(2026, 10, 20)
const to = from + 48 * hour
/** Two days by the half-hour, without measurements at night. */
const points = Array.from({ length: 97 }, (_, index): TimePoint => {
  const avg = 5 + 3 * Math.sin(index / 7)
  return { at: from + (index * hour) / 2, min: avg - 0.8, max: avg + 1.2, avg }
}).filter(({ at }) => at < from + 20 * hour || at > from + 28 * hour)

/** A dense series over time: as a whole with its limits, and a part of it between bounds. */
export function CurveSection() {
  const { t } = useTranslation('kit')
  return (
    <SimpleGrid minColWidth="min(100%, 320px)" autoFlow="auto-fit" spacing="wide">
      <Part caption={t('curve.limits')}>
        <Curve
          label={t('curve.limits')}
          limits={[
            { name: t('curve.low'), value: 1 },
            { name: t('curve.high'), value: 9 },
          ]}
        />
      </Part>
      <Part caption={t('curve.part')}>
        <Curve label={t('curve.part')} begin={from + 12 * hour} bounds={{ low: 0, high: 20 }} />
      </Part>
    </SimpleGrid>
  )
}

interface Props {
  label: string
  limits?: readonly { name: string; value: number }[]
  begin?: number
  bounds?: { low: number; high: number }
}

function Curve({ label, limits = [], begin = from, bounds }: Props) {
  const { t } = useTranslation('kit')
  const format = useFormat()
  const [window, setWindow] = useState<readonly [number, number]>([begin, to])
  return (
    <Lazy fallback={<div style={{ height }} />}>
      <div role="img" aria-label={label} style={{ height }}>
        <TimeCanvas
          label={label}
          points={points}
          gap={2 * hour}
          from={from}
          to={to}
          window={window}
          onWindow={(first, last) => setWindow([first, last])}
          limits={limits}
          names={{ avg: t('curve.mean'), range: t('curve.range') }}
          format={(value) => format.number(value, { maximumFractionDigits: 1 })}
          formatTime={(at) => format.instant(new Date(at), 'minute', 'UTC')}
          height={height}
          {...bounds}
        />
      </div>
    </Lazy>
  )
}
