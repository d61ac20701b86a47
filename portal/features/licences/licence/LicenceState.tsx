import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Licence } from '#contract/licences/licence.ts'
import { deviceTypeNames } from '#contract/vocabulary/device.ts'
import { mostDriftSeconds } from '#domain/licences/licence-term.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

/** The largest unit that a drift fills. */
function sizeOf(seconds: number): [number, 'second' | 'minute' | 'hour' | 'day'] {
  if (seconds < 120) return [seconds, 'second']
  if (seconds < 7_200) return [Math.round(seconds / 60), 'minute']
  if (seconds < 172_800) return [Math.round(seconds / 3_600), 'hour']
  return [Math.round(seconds / 86_400), 'day']
}

function Clock({ seconds }: { seconds: number }) {
  const { t } = useTranslation('licence')
  const format = useFormat()
  if (Math.abs(seconds) <= mostDriftSeconds) return t('clock.right')
  const [value, unit] = sizeOf(Math.abs(seconds))
  const time = format.number(value, { style: 'unit', unit, unitDisplay: 'long' })
  return (
    <Text span c="warn">
      {t(seconds > 0 ? 'clock.ahead' : 'clock.behind', { time })}
    </Text>
  )
}

/** The machine and the connector of a licence, and when it took its steps. */
export function LicenceState({ licence }: { licence: Licence }) {
  const { t } = useTranslation(['licence', 'vocabulary'])
  const { timeZone, clockDriftSeconds: drift, deviceType, unassignCase } = licence
  const at = (instant: string | null) => instant && <When at={instant} as="exact" timeZone={timeZone} />
  const facts = [
    {
      name: t('column.posName'),
      value: (
        <PlaceLink place={{ to: '/devices/$posId', params: { posId: licence.posId } }}>{licence.posName}</PlaceLink>
      ),
    },
    { name: t('column.posSerial'), value: <CopyId value={licence.posSerial} /> },
    { name: t('column.deviceType'), value: deviceTypeNames[deviceType as keyof typeof deviceTypeNames] ?? deviceType },
    ...(unassignCase ? [{ name: t('column.unassignCase'), value: t(`vocabulary:unassignCase.${unassignCase}`) }] : []),
    { name: t('column.createdAt'), value: at(licence.createdAt) },
    { name: t('fact.sentAt'), value: at(licence.sentAt) },
    { name: t('fact.confirmedAt'), value: at(licence.confirmedAt) },
    { name: t('column.activatedAt'), value: at(licence.activatedAt) },
    ...(licence.firstActivatedAt !== licence.activatedAt
      ? [{ name: t('fact.firstActivatedAt'), value: at(licence.firstActivatedAt) }]
      : []),
    { name: t('fact.key'), value: licence.keyHint && `•••••-${licence.keyHint}` },
    { name: t('column.boardSerial'), value: licence.boardSerial && <CopyId value={licence.boardSerial} /> },
    { name: t('column.connectorVersion'), value: licence.connectorVersion },
    { name: t('column.lastBeatAt'), value: licence.lastBeatAt && <When at={licence.lastBeatAt} timeZone={timeZone} /> },
    { name: t('fact.clock'), value: drift === null ? null : <Clock seconds={drift} /> },
  ]
  return (
    <Card title={t('card.state')}>
      <Facts facts={facts} />
    </Card>
  )
}
