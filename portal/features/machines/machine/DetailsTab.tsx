import { Box, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { configurations } from '#contract/configurations/configuration.ts'
import { type Machine } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { NoVendFact } from '#portal/features/catalogue/no-vend-profile/NoVendFact.tsx'
import { PlanogramFact } from '#portal/features/catalogue/planogram/PlanogramFact.tsx'
import { PricesFact } from '#portal/features/catalogue/price/PricesFact.tsx'
import { StockFact } from '#portal/features/stock/stock/WaresFacts.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { type Fact, Facts } from '#portal/ui/value/Facts.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { connectionLooks, posStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { MachineForm } from './MachineForm.tsx'
import { PointsMap } from './MachinesMap.tsx'
import { typeNameOf } from './machineFacts.ts'
import { useMachine } from './useMachine.ts'
import { Warranty } from './Warranty.tsx'

const mapHeight = 220

/** All known facts of a machine. */
export default function DetailsTab() {
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { data: machine } = useMachine(posId)
  return machine ? <Details machine={machine} /> : null
}

const id = (value: string | null | undefined) => value && <CopyId value={value} />

function Details({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const { me } = useSession()
  const hasNetwork = useFeatureOf('network')(machine.merchantId)
  const groups: Record<string, Fact[]> = {
    identity: useIdentity(machine),
    state: useCondition(machine),
    board: useBoard(machine),
  }
  const network = useNetwork(machine)
  if (hasNetwork) groups.network = network
  return (
    <Columns of="minmax(0, 2fr) minmax(280px, 1fr)" from="sm" gap="part" align="start">
      <Stack gap="part">
        {me && roleMay(me.role, 'machine.write') && <MachineForm machine={machine} />}
        {Object.entries(groups).map(([group, facts]) => (
          <Card key={group} title={t(`facts.${group}`)}>
            <Facts facts={facts} unknown={t('unknown')} />
          </Card>
        ))}
      </Stack>
      <PlaceCard machine={machine} />
    </Columns>
  )
}

/** Names of facts, and how an instant is shown: exact, by the machine's clock. */
function useFactsOf({ timeZone }: Machine) {
  const { t } = useTranslation(['machine', 'machine-act', 'vocabulary', 'stock', 'price', 'planogram'])
  return {
    t,
    name: (key: string) => t(`machine:fact.${key}`),
    at: (value: string | null) => value && <When at={value} as="exact" timeZone={timeZone} />,
  }
}

function useIdentity(machine: Machine): Fact[] {
  const { t, name, at } = useFactsOf(machine)
  const format = useFormat()
  const { me } = useSession()
  const hasStock = useFeatureOf('productStock')(machine.merchantId)
  const hasVending = useFeatureOf('vending')(machine.merchantId)
  const group = machine.groupId && (
    <PlaceLink place={{ to: '/manage/groups/$groupId', params: { groupId: machine.groupId } }}>
      {machine.groupName}
    </PlaceLink>
  )
  const client = machine.clientId && (
    <PlaceLink place={{ to: '/manage/clients/$clientId', params: { clientId: machine.clientId } }}>
      {machine.clientName}
    </PlaceLink>
  )
  return [
    { name: name('serial'), value: id(machine.serial) },
    { name: name('name'), value: machine.name },
    { name: name('deviceType'), value: `${typeNameOf(machine.deviceType)} (${machine.deviceType})` },
    { name: name('group'), value: me && roleMay(me.role, 'group.write') ? group : machine.groupName },
    { name: t('machine-act:fact.client'), value: client },
    { name: name('sector'), value: machine.sector && t(`vocabulary:posSector.${machine.sector}`) },
    { name: name('merchant'), value: machine.merchantName },
    { name: name('id'), value: <CopyId value={machine.id} isShort /> },
    { name: name('createdAt'), value: at(machine.createdAt) },
    { name: t('machine-act:fact.updatedAt'), value: at(machine.updatedAt) },
    {
      name: name('warranty'),
      value: machine.warrantyUntil && <Warranty until={machine.warrantyUntil} state={machine.warranty} />,
    },
    ...(machine.prepaidUntil ? [{ name: name('prepaidUntil'), value: format.day(machine.prepaidUntil) }] : []),
    ...(hasStock
      ? [
          {
            name: t('machine-act:fact.manageStock'),
            value: t(
              machine.manageStock ? `machine-act:fact.by.${machine.stockCountedBy}` : 'machine-act:fact.unmanaged',
            ),
          },
        ]
      : []),
    ...(hasVending
      ? [
          { name: t('planogram:assign.label'), value: <PlanogramFact machine={machine} /> },
          {
            name: t('machine-act:fact.noVendProfile'),
            value: <NoVendFact machine={machine} />,
          },
        ]
      : []),
    { name: name('visibility'), value: t(machine.hidden ? 'machine:fact.hidden' : 'machine:fact.shown') },
  ]
}

function useCondition(machine: Machine): Fact[] {
  const { t, name, at } = useFactsOf(machine)
  const format = useFormat()
  const hasNetwork = useFeatureOf('network')(machine.merchantId)
  const hasStock = useFeatureOf('productStock')(machine.merchantId)
  const hasVending = useFeatureOf('vending')(machine.merchantId)
  const hasConfigurations = useFeatureOf('remoteConfigurations')(machine.merchantId)
  const { clockDriftSeconds: drift } = machine
  const signal =
    typeof machine.signalPercent === 'number' ? (
      <LevelBar percent={machine.signalPercent} label={name('signal')} />
    ) : null
  return [
    { name: name('posStatus'), value: <StatusBadge of={posStatusLooks} value={machine.posStatus} /> },
    { name: name('openAlarms'), value: format.number(machine.openAlarms) },
    { name: name('connection'), value: <StatusBadge of={connectionLooks} value={machine.connection} /> },
    ...(hasNetwork ? [{ name: name('signal'), value: signal }] : []),
    {
      name: name('temperature'),
      value:
        machine.temperatureCelsius === null
          ? null
          : format.number(machine.temperatureCelsius, { style: 'unit', unit: 'celsius', maximumFractionDigits: 1 }),
    },
    ...(hasStock ? [{ name: t('stock:title'), value: <StockFact machine={machine} /> }] : []),
    ...(hasVending ? [{ name: t('price:title'), value: <PricesFact machine={machine} /> }] : []),
    ...(hasConfigurations ? [{ name: name('configuration'), value: <ConfigurationFact machine={machine} /> }] : []),
    { name: name('lastSeenAt'), value: at(machine.lastSeenAt) },
    { name: name('lastPingAt'), value: at(machine.lastPingAt) },
    { name: name('lastBootAt'), value: at(machine.lastBootAt) },
    { name: name('lastSaleAt'), value: at(machine.lastSaleAt) },
    { name: name('lastAuditAt'), value: at(machine.lastAuditAt) },
    {
      name: name('clockDrift'),
      value:
        drift === null
          ? null
          : t('machine:fact.seconds', { count: drift, number: format.number(drift, { signDisplay: 'exceptZero' }) }),
    },
    {
      name: name('cashInBox'),
      value: machine.cashInBox === null ? null : <Amount minor={machine.cashInBox} currency={machine.currency} />,
    },
    {
      name: name('cashBoxCapacity'),
      value:
        machine.cashBoxCapacity === null ? null : (
          <Amount minor={machine.cashBoxCapacity} currency={machine.currency} />
        ),
    },
  ]
}

function useBoard(machine: Machine): Fact[] {
  const { name } = useFactsOf(machine)
  return [
    { name: name('firmwareVersion'), value: machine.firmwareVersion },
    { name: name('boardSerial'), value: id(machine.boardSerial) },
    { name: name('boardManufacturer'), value: machine.boardManufacturer },
    { name: name('boardModel'), value: machine.boardModel },
    { name: name('boardVersion'), value: machine.boardVersion },
    { name: name('telemetryBoardType'), value: machine.telemetryBoardType },
    { name: name('telemetryBoardVersion'), value: machine.telemetryBoardVersion },
  ]
}

function useNetwork(machine: Machine): Fact[] {
  const { t, name } = useFactsOf(machine)
  return [
    {
      name: name('networkType'),
      value: machine.networkType && t(`vocabulary:networkType.${machine.networkType}`),
    },
    { name: name('publicIp'), value: id(machine.publicIp) },
    { name: name('macAddress'), value: id(machine.macAddress) },
    { name: name('ethernetManufacturer'), value: machine.ethernetManufacturer },
    { name: name('ethernetModel'), value: machine.ethernetModel },
    { name: name('ethernetVersion'), value: machine.ethernetVersion },
    { name: name('modemManufacturer'), value: machine.modemManufacturer },
    { name: name('modemModel'), value: machine.modemModel },
    { name: name('modemVersion'), value: machine.modemVersion },
    { name: name('imei'), value: id(machine.imei) },
    { name: name('simIccid'), value: id(machine.simIccid) },
    { name: name('simImsi'), value: id(machine.simImsi) },
    { name: name('simOperator'), value: machine.simOperator },
  ]
}

/** Its address, coordinates and time zone, with a map. */
function PlaceCard({ machine }: { machine: Machine }) {
  const { t, name } = useFactsOf(machine)
  const { id: posId, merchantId, name: posName, state, posStatus, latitude, longitude } = machine
  const points = useMemo(
    () =>
      latitude === null || longitude === null
        ? []
        : [{ id: posId, merchantId, name: posName, state, posStatus, latitude, longitude }],
    [posId, merchantId, posName, state, posStatus, latitude, longitude],
  )
  const place = latitude === null || longitude === null ? null : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  return (
    <Card title={t('machine:facts.place')}>
      <Facts
        facts={[
          { name: name('address'), value: machine.address },
          { name: name('coordinates'), value: id(place) },
          { name: name('timeZone'), value: machine.timeZone },
        ]}
        unknown={t('machine:unknown')}
      />
      <Box mt="part">
        {points.length > 0 ? (
          <PointsMap points={points} height={mapHeight} closest={4.3} />
        ) : (
          <Text c="dimmed">{t('machine:facts.nowhere')}</Text>
        )}
      </Box>
    </Card>
  )
}

/** Whether it has its target configuration, with a link to it. */
function ConfigurationFact({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const { id: posId, merchantId } = machine
  const { data } = useQuery(queryOf(configurations.getCustomConfig, { params: { merchantId, posId } }))
  if (!data) return null
  return (
    <PlaceLink place={{ to: '/devices/$posId/custom-config', params: { posId } }}>
      {t(`configurationSync.${data.sync}`)}
    </PlaceLink>
  )
}
