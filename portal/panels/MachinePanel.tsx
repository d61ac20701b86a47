import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { alarms } from '#contract/alarms/alarm.ts'
import { type MachineCash, machineCash } from '#contract/cash/machine-cash.ts'
import { remoteCommands } from '#contract/commands/remote-command.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { transactions } from '#contract/sales/transaction.ts'
import { stock } from '#contract/stock/stock.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { RecordMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { alarmKey, openStatuses } from '#portal/features/alarms/alarm/alarmFilters.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { CommandButtons } from '#portal/features/commands/remote-command/CommandButtons.tsx'
import { useCommandName } from '#portal/features/commands/remote-command/commandNames.ts'
import { MachineBanner } from '#portal/features/machines/machine/MachineBanner.tsx'
import { Health, StateSince } from '#portal/features/machines/machine/MachineHealth.tsx'
import { cashPercentOf } from '#portal/features/machines/machine/machineFacts.ts'
import { LastEvents } from '#portal/features/machines/machine/timeline/MachineTimeline.tsx'
import { useMachine } from '#portal/features/machines/machine/useMachine.ts'
import { stockLooks } from '#portal/features/stock/stock/stockLooks.ts'
import { DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { listPlace } from '#portal/ui/list/listPlace.ts'
import { PanelFrame } from '#portal/ui/panel/PanelFrame.tsx'
import { PanelLine, PanelLines } from '#portal/ui/panel/PanelLines.tsx'
import { panelAnswer } from '#portal/ui/panel/panelAnswer.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { LevelBar } from '#portal/ui/value/LevelBar.tsx'
import { alarmCriticityLooks, commandStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { LastSales } from './LastSales.tsx'

/** Lines of each part; its heading leads to all of them. */
const size = 5

/** A machine beside the screen: its health, last sales, alarms, stock, cash and commands. */
export default function MachinePanel({ id }: { id: string }) {
  const answer = useMachine(id)
  const { record: machine, failure } = panelAnswer(answer)
  return (
    <RecordMerchant id={machine?.merchantId}>
      <PanelFrame
        title={machine?.name}
        badges={machine && <StateSince machine={machine} />}
        actions={machine && <CommandButtons machine={machine} isQuiet />}
        {...failure}
      >
        {machine && <Parts machine={machine} />}
      </PanelFrame>
    </RecordMerchant>
  )
}

function Parts({ machine }: { machine: Machine }) {
  const { t } = useTranslation('alarm')
  const hasStock = useFeatureOf('productStock')(machine.merchantId)
  const maySeeSales = useMay(transactions.listTransactions)
  const maySeeAlarms = useMay(alarms.listMachineAlarms)
  const maySeeCommands = useMay(remoteCommands.listRemoteCommands)
  return (
    <>
      <Text c="dimmed" fz="sm">
        <Health machine={machine} />
      </Text>
      {maySeeAlarms && <MachineBanner machine={machine} />}
      {machine.state === 'silent' && (
        <DrawerPart name={t('events')} note={machine.timeZone}>
          <LastEvents machine={machine} />
        </DrawerPart>
      )}
      <Today machine={machine} />
      {maySeeSales && (
        <LastSales
          machineId={machine.id}
          place={listPlace<typeof transactions.listTransactions>('/transactions/data', {
            posIds: [machine.id],
            period: 'last7Days',
          })}
        />
      )}
      {maySeeAlarms && <OpenAlarms machine={machine} />}
      {hasStock && <Stock machine={machine} />}
      <Cash machine={machine} />
      {maySeeCommands && <LastCommands machine={machine} />}
    </>
  )
}

/** A tab of the machine's page, as the heading of its part. */
const tab = (machine: Machine, name: string): Place => ({
  to: `/devices/$posId/${name}`,
  params: { posId: machine.id },
})

function Today({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const format = useFormat()
  const { salesToday, vendsToday, currency, lastSaleAt, lastSeenAt, timeZone } = machine
  return (
    <DrawerPart name={t('card.today')}>
      <Facts
        facts={[
          { name: t('column.today'), value: <Amount minor={salesToday} currency={currency} /> },
          { name: t('card.vends'), value: format.number(vendsToday) },
          { name: t('fact.lastSaleAt'), value: lastSaleAt && <When at={lastSaleAt} timeZone={timeZone} /> },
          { name: t('fact.lastSeenAt'), value: lastSeenAt && <When at={lastSeenAt} timeZone={timeZone} /> },
        ]}
      />
    </DrawerPart>
  )
}

interface ListedProps<T> {
  name: string
  place: Place
  answer: { data: T | undefined; error: unknown; refetch: () => unknown }
  children: (data: T) => ReactNode
}

/** A part whose lines are fetched; its heading leads to all of them. */
function Listed<T>({ name, place, answer, children }: ListedProps<T>) {
  return (
    <DrawerPart
      name={
        <PlaceLink place={place} className="quiet inks">
          {name}
        </PlaceLink>
      }
    >
      {answer.error && !answer.data ? (
        <ErrorState isSmall error={answer.error} retry={answer.refetch} />
      ) : answer.data ? (
        children(answer.data)
      ) : (
        <div style={{ minHeight: 48 }} aria-busy="true" />
      )}
    </DrawerPart>
  )
}

function OpenAlarms({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['alarm', 'shell'])
  const nameOf = useAlarmName()
  const params = { merchantId: machine.merchantId, posId: machine.id }
  const query = { statuses: [...openStatuses], ord: 'criticity', ordType: 'DESC', page: 1, size } as const
  const answer = useQuery(queryOf(alarms.listMachineAlarms, { params, query }))
  return (
    <Listed name={t('shell:screens.alarms')} place={tab(machine, 'pos-alarms')} answer={answer}>
      {({ items }) => (
        <PanelLines none={t('alarm:empty.title')}>
          {items.map((alarm) => (
            <PanelLine
              key={alarm.id}
              title={
                <PlaceLink
                  place={{ ...tab(machine, 'pos-alarms'), search: { alarm: alarmKey(alarm) } }}
                  className="quiet"
                >
                  {nameOf(alarm.code)}
                </PlaceLink>
              }
              aside={<StatusBadge of={alarmCriticityLooks} value={alarm.criticity} />}
              note={<When at={alarm.createdAt} timeZone={alarm.timeZone} />}
            />
          ))}
        </PanelLines>
      )}
    </Listed>
  )
}

function Stock({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['stock', 'shell'])
  const format = useFormat()
  const params = { merchantId: machine.merchantId, posId: machine.id }
  const answer = useQuery(queryOf(stock.listStock, { params, query: { statuses: [1, 4], page: 1, size } }))
  return (
    <Listed name={t('shell:screens.stock')} place={tab(machine, 'stock')} answer={answer}>
      {({ items, summary }) => (
        <PanelLines
          none={
            summary.inStock === 0
              ? t('stock:empty.title')
              : t('stock:fact.inStock', { count: summary.inStock, number: format.number(summary.inStock) })
          }
        >
          {items.map((row) => (
            <PanelLine
              key={row.selection}
              title={[row.selection, row.product ?? row.sentProduct].filter(Boolean).join(' · ')}
              aside={<StatusBadge of={stockLooks} value={row.status} />}
              note={
                row.capacity === null
                  ? format.number(row.level)
                  : t('stock:of', { level: format.number(row.level), capacity: format.number(row.capacity) })
              }
            />
          ))}
        </PanelLines>
      )}
    </Listed>
  )
}

const sumOf = (slots: MachineCash['slots']) => {
  const counted = slots.filter(({ count }) => count !== null)
  return counted.length === 0 ? null : counted.reduce((sum, { value, count }) => sum + value * (count ?? 0), 0)
}

function Cash({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['cash', 'shell'])
  const params = { merchantId: machine.merchantId, posId: machine.id }
  const answer = useQuery(queryOf(machineCash.getMachineCash, { params, query: {} }))
  const percent = cashPercentOf(machine)
  return (
    <Listed name={t('shell:screens.cash')} place={tab(machine, 'cash')} answer={answer}>
      {({ box, slots, currency, lastCollection }) => {
        const inSlots = sumOf(slots)
        return (
          <Facts
            facts={[
              {
                name: t('cash:stat.box'),
                value: box !== null && (
                  <>
                    <Amount minor={box} currency={currency} />
                    {percent !== undefined && (
                      <LevelBar percent={percent} isFullGood={false} label={t('cash:stat.box')} />
                    )}
                  </>
                ),
              },
              {
                name: t('cash:floats.title'),
                value: inSlots !== null && <Amount minor={inSlots} currency={currency} />,
              },
              {
                name: t('panel:lastCollection'),
                value: lastCollection && (
                  <PlaceLink
                    place={{ to: '/devices/collections/$collectionId', params: { collectionId: lastCollection.id } }}
                  >
                    <When at={lastCollection.at} timeZone={machine.timeZone} />
                  </PlaceLink>
                ),
              },
            ].map(({ name, value }) => ({ name, value: value || null }))}
          />
        )
      }}
    </Listed>
  )
}

function LastCommands({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['panel', 'shell', 'ui'])
  const nameOf = useCommandName()
  const params = { merchantId: machine.merchantId }
  const query = { posIds: [machine.id], ord: 'createdAt', ordType: 'DESC', page: 1, size: 3 } as const
  const answer = useQuery(queryOf(remoteCommands.listRemoteCommands, { params, query }))
  return (
    <Listed name={t('shell:screens.commands')} place={tab(machine, 'remote-commands')} answer={answer}>
      {({ items }) => (
        <PanelLines none={t('panel:noCommands')}>
          {items.map((command) => (
            <PanelLine
              key={command.id}
              title={nameOf(command.type)}
              aside={<StatusBadge of={commandStatusLooks} value={command.status} />}
              note={
                <>
                  <When at={command.createdAt} timeZone={command.timeZone} /> · {command.createdBy ?? t('ui:provider')}
                </>
              }
            />
          ))}
        </PanelLines>
      )}
    </Listed>
  )
}
