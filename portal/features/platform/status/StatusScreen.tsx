import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type DiskFigure,
  type PlatformFigure,
  platformStatusRows,
  type SlowStatements,
  type WatchedPart,
  watched,
  watchedParts,
} from '#contract/platform/platform-status.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { copyText } from '#portal/ui/value/CopyId.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { statusLooks } from './statusLooks.ts'

/** How often the figures are read again. */
const refetchInterval = 30_000

/** How the deployment is doing: what waits, what failed, what runs and how full its disks are, each with what to do. */
export default function StatusScreen() {
  const { t } = useTranslation('platform-status')
  const { data, error, refetch } = useQuery({ ...queryOf(platformStatusRows.getPlatformStatus), refetchInterval })
  return (
    <>
      <ScreenHeader title={t('title')} subtitle={t('subtitle')} />
      {error && !data && <ErrorState error={error} retry={refetch} />}
      {data && (
        <Stack gap="part" maw={960}>
          {watchedParts.map((part) =>
            part === 'disk' ? (
              <Disks key={part} disks={data.disks} />
            ) : (
              <Figures key={part} part={part} figures={data.figures} />
            ),
          )}
          <Slow slow={data.slow} />
        </Stack>
      )}
    </>
  )
}

function Figures({ part, figures }: { part: WatchedPart; figures: readonly PlatformFigure[] }) {
  const { t } = useTranslation('platform-status')
  const names: readonly string[] = watched[part]
  return (
    <Card title={t(`part.${part}`)} isFlush>
      {figures
        .filter(({ name }) => names.includes(name))
        .map((figure) => (
          <Row
            key={figure.name}
            name={t(`name.${figure.name}`)}
            value={<Value figure={figure} />}
            state={figure.kind === 'text' ? undefined : figure.state}
            advice={figure.state === 'warning' || figure.state === 'critical' ? t(`advice.${figure.name}`) : undefined}
          />
        ))}
    </Card>
  )
}

interface RowProps {
  name: string
  value: ReactNode
  state: PlatformFigure['state'] | undefined
  advice: string | undefined
}

function Row({ name, value, state, advice }: RowProps) {
  return (
    <Box px="md" py="part" className="ruled">
      <Group justify="space-between" gap="near">
        <Text fw={500}>{name}</Text>
        <Group gap="near">
          <Text span>{value}</Text>
          {state && <StatusBadge of={statusLooks} value={state} />}
        </Group>
      </Group>
      {advice && (
        <Text mt="tight" c="dimmed" fz="fine" className="breaks">
          {advice}
        </Text>
      )}
    </Box>
  )
}

function Value({ figure: { kind, count, text, since } }: { figure: PlatformFigure }) {
  const { t } = useTranslation('platform-status')
  const { number } = useFormat()
  if (kind === 'text') return text
  if (count === null) return '–'
  const written = kind === 'seconds' ? t('unit.seconds', { number: number(count) }) : number(count)
  return (
    <>
      {kind === 'days' ? t('unit.days', { count, number: number(count) }) : written}
      {since && (
        <Text span c="dimmed" fz="fine" ml="near">
          <When at={since} />
        </Text>
      )}
    </>
  )
}

function Disks({ disks }: { disks: readonly DiskFigure[] }) {
  const { t } = useTranslation('platform-status')
  const { number, percent } = useFormat()
  const gigabytes = (bytes: number) =>
    t('unit.gigabytes', { number: number(bytes / 1e9, { maximumFractionDigits: 1 }) })
  const days = (left: number | null) =>
    left === null ? '–' : t('unit.days', { count: Math.floor(left), number: number(Math.floor(left)) })
  return (
    <Card title={t('part.disk')} isFlush>
      {disks.length === 0 && (
        <Text px="md" py="part" c="dimmed">
          {t('disk.none')}
        </Text>
      )}
      {disks.map((disk) => (
        <Row
          key={disk.place}
          name={disk.place}
          value={t('disk.use', {
            percent: percent(disk.used / disk.total),
            used: gigabytes(disk.used),
            total: gigabytes(disk.total),
          })}
          state={disk.state}
          advice={[
            t('disk.forecast', { days80: days(disk.days80), days90: days(disk.days90) }),
            disk.state === 'ok' ? '' : t('advice.disk'),
          ]
            .filter(Boolean)
            .join(' ')}
        />
      ))}
    </Card>
  )
}

/** Slow statements without their values, the costliest first. */
function Slow({ slow: { source, fromMs, statements } }: { slow: SlowStatements }) {
  const { t } = useTranslation('platform-status')
  const { number } = useFormat()
  const seconds = (ms: number) => t('unit.seconds', { number: number(ms / 1000, { maximumFractionDigits: 2 }) })
  return (
    <Card title={t('slow.title')} isFlush>
      <Text px="md" py="part" c="dimmed" fz="fine">
        {t(`slow.${source}`, { time: seconds(fromMs) })} {t(statements.length === 0 ? 'slow.none' : 'slow.advice')}
      </Text>
      {statements.map(({ text, count, meanMs, maximumMs, last }) => (
        <Box key={text} px="md" py="part" className="ruled">
          <Text ff="monospace" fz="fine" className="breaks" lineClamp={3}>
            {text}
          </Text>
          <Group mt="tight" justify="space-between" gap="near">
            <Text c="dimmed" fz="fine">
              {t('slow.figures', {
                count,
                number: number(count),
                mean: seconds(meanMs),
                maximum: seconds(maximumMs),
              })}
              {last && (
                <Text span ml="near">
                  <When at={last} />
                </Text>
              )}
            </Text>
            <Button size="compact-xs" variant="subtle" onClick={() => void copyText(text)}>
              {t('slow.copy')}
            </Button>
          </Group>
        </Box>
      ))}
    </Card>
  )
}
