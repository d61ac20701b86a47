import { randomUUIDv7 } from 'node:crypto'
import { alarmBySetting, settingOf } from '#domain/alarms/alarm-setting.ts'
import { type AlarmAfter, type AlarmEvent, alarmsAfter, ends } from '#domain/alarms/event-alarms.ts'
import { flapMillis } from '#domain/alarms/flapping.ts'
import { refreshPosStatus } from '../alarms/alarm.ts'
import { noteCycles } from '../alarms/alarm-cycles.ts'
import { alarmSettings, settingsOf } from '../alarms/alarm-setting.ts'
import { type AlarmFact, noteAlarms } from '../facts/alarm-note.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { type EventRow, eventsAfter, knownAlarms, writeAlarms } from './ingest.ts'

/** Turns new events into alarms, machine by machine, and sets each machine's status. */
export async function raiseEventAlarms(
  db: TenantDb,
  rows: readonly EventRow[],
  seenBefore: ReadonlyMap<string, number>,
): Promise<void> {
  const byMachine = Map.groupBy(rows, (row) => row.machineId)
  let settings: Awaited<ReturnType<typeof alarmSettings>> | undefined
  const raised: (AlarmAfter & { merchantId: string })[] = []
  const facts: AlarmFact[] = []
  const lately = new Date(Math.min(...rows.map(({ at }) => at)) - flapMillis)
  const alarmsByMachine = Map.groupBy(await knownAlarms(db, [...byMachine.keys()], lately), (alarm) => alarm.machineId)
  for (const [machineId, events] of [...byMachine].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const inOrder = events.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0))
    const first = inOrder[0] as EventRow
    // Events that arrive after later ones may have ended already.
    const isLate = (first.seq ?? 0) < (seenBefore.get(machineId) ?? 0)
    const machine = { merchantId: first.merchantId, machineId, epoch: first.epoch ?? 0 }
    const earliest = new Date(Math.min(...events.map(({ at }) => at)))
    const later = isLate ? await eventsAfter(db, machine, first.seq ?? 0, earliest) : []
    const known = alarmsByMachine.get(machineId) ?? []
    const alarms = alarmsAfter(
      known,
      inOrder.map((event) => ({ ...event, at: new Date(event.at) }) satisfies AlarmEvent),
      {
        newId: randomUUIDv7,
        endedLater: (event) => later.find((each) => each.at >= event.at && ends(each, event.code))?.at ?? null,
      },
    )
    if (alarms.some(({ isNew, isRaisedAgain }) => isNew || isRaisedAgain)) settings ??= await alarmSettings(db)
    const merchantSettings = settingsOf(settings ?? new Map(), machine.merchantId)
    const relevant = alarms.flatMap((alarm) =>
      alarm.isNew || alarm.isRaisedAgain
        ? (alarmBySetting(alarm, settingOf(merchantSettings, alarm.code)) ?? [])
        : alarm,
    )
    if (relevant.length === 0) continue
    await writeAlarms(db, machine, relevant)
    const wereOpen = new Set(known.flatMap(({ id, repairedAt }) => (repairedAt === null ? id : [])))
    facts.push(...relevant.flatMap((alarm) => factsOf(machine, alarm, wereOpen.has(alarm.id))))
    await refreshPosStatus(db, machine.merchantId, machineId)
    for (const alarm of relevant) if (alarm.isNew) raised.push({ ...alarm, merchantId: machine.merchantId })
  }
  if (settings) await noteCycles(db, raised, settings)
  await noteAlarms(db, facts)
}

/** An alarm may be raised and end within one batch. */
function factsOf(
  { merchantId, machineId: posId }: { merchantId: string; machineId: string },
  { id: alarmId, code, criticity, isNew, isRaisedAgain, createdAt, lastAt, repairedAt }: AlarmAfter,
  wasOpen: boolean,
): AlarmFact[] {
  const alarm = { posId, alarmId, code, criticity }
  const raised = isNew || isRaisedAgain
  return [
    ...(raised
      ? [
          {
            event: 'alarm.raised' as const,
            merchantId,
            data: { ...alarm, at: (isNew ? createdAt : lastAt).toISOString() },
          },
        ]
      : []),
    ...(repairedAt && (raised || wasOpen)
      ? [{ event: 'alarm.ended' as const, merchantId, data: { ...alarm, at: repairedAt.toISOString(), byUser: false } }]
      : []),
  ]
}
