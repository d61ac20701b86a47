import { Box, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { runningVersions } from '#contract/updates/running-version.ts'
import type { DeviceType } from '#contract/vocabulary/device.ts'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import type { UpdateKind } from '#contract/vocabulary/update.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Chart } from '#portal/ui/chart/Chart.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './RunningVersions.module.css'

interface Props {
  /** The language file of its words. */
  words: 'firmware' | 'cash-database'
  merchantId: string
  kind: UpdateKind
  peripheral: Peripheral | null
  deviceTypes: DeviceType[]
  /** The version of the page. */
  release: string
}

/** Machines by the version that they report, as a chart and as a list. */
export function RunningVersions({ words, merchantId, kind, peripheral, deviceTypes, release }: Props) {
  const { t } = useTranslation(words)
  const format = useFormat()
  const query = { kind, deviceTypes, ...(peripheral && { peripheral }) }
  const { data } = useQuery(queryOf(runningVersions.listRunningVersions, { params: { merchantId }, query }))
  if (!data) return null
  const { items, unknown } = data
  const placeOf = (version: string) =>
    kind === 'firmware' ? { to: '/devices/list', search: { firmwareVersions: version } } : undefined
  return (
    <Card title={t('card.running')}>
      {items.length === 0 ? (
        <Text c="dimmed">{t('running.empty')}</Text>
      ) : (
        <>
          <Chart
            label={t('card.running')}
            kinds={['bar', 'pie']}
            categories={items.map(({ version }) => version)}
            categoryName={t('running.version')}
            unit={t('running.machines')}
            series={[{ name: t('running.machines'), values: items.map(({ machines }) => machines) }]}
            format={format.number}
            height={200}
          />
          <Box component="ul" mt="sm" className={classes.list}>
            {items.map(({ version, machines }) => {
              const place = placeOf(version)
              return (
                <li key={version} data-own={version === release || undefined}>
                  {place ? <PlaceLink place={place}>{version}</PlaceLink> : version}
                  <span>{format.number(machines)}</span>
                </li>
              )
            })}
            {unknown > 0 && (
              <Box component="li" c="dimmed">
                {t('running.unknown')}
                <span>{format.number(unknown)}</span>
              </Box>
            )}
          </Box>
        </>
      )}
    </Card>
  )
}
