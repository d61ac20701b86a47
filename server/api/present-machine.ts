import { toWire, toWireOrNull } from '#contract/instant.ts'
import type { Machine, MachineRow } from '#contract/machine.ts'
import { daysShown, type MachineRecord, type SalesOfMachine } from '#database/machine.ts'

/** Database instants inside JSON carry their offset. */
const since = (text: string) => toWire(new Date(text))

export const presentMachineRow = (machine: MachineRecord, sales: SalesOfMachine | undefined): MachineRow => ({
  id: machine.id,
  version: machine.version,
  merchantId: machine.merchant_id,
  merchantName: machine.merchant_name,
  currency: machine.currency as MachineRow['currency'],
  timeZone: machine.time_zone,
  serial: machine.serial,
  name: machine.name,
  deviceType: machine.device_type,
  groupId: machine.group_id,
  groupName: machine.group_name,
  address: machine.address,
  state: machine.state,
  connection: machine.connection as MachineRow['connection'],
  posStatus: machine.pos_status as MachineRow['posStatus'],
  openAlarms: machine.open_alarms,
  worstAlarm: machine.worst_alarm && { code: machine.worst_alarm.code, since: since(machine.worst_alarm.since) },
  signalPercent: machine.signal_percent,
  cashInBox: machine.cash_in_box,
  cashBoxCapacity: machine.cash_box_capacity,
  firmwareVersion: machine.firmware_version,
  salesToday: sales?.value.at(-1) ?? 0,
  vendsToday: sales?.vends.at(-1) ?? 0,
  salesByDay: sales?.value ?? new Array(daysShown).fill(0),
  lastSeenAt: toWireOrNull(machine.last_seen_at),
  lastSaleAt: toWireOrNull(machine.last_sale_at),
  lastAuditAt: toWireOrNull(machine.last_audit_at),
})

export const presentMachine = (
  machine: MachineRecord,
  sales: SalesOfMachine | undefined,
  usualSalesToday: number,
): Machine => ({
  ...presentMachineRow(machine, sales),
  createdAt: toWire(machine.created_at),
  hidden: machine.hidden,
  latitude: machine.latitude,
  longitude: machine.longitude,
  boardSerial: machine.board_serial,
  boardModel: machine.board_model,
  boardVersion: machine.board_version,
  modemManufacturer: machine.modem_manufacturer,
  modemModel: machine.modem_model,
  modemVersion: machine.modem_version,
  ethernetManufacturer: machine.ethernet_manufacturer,
  macAddress: machine.mac_address,
  simIccid: machine.sim_iccid,
  simImsi: machine.sim_imsi,
  simOperator: machine.sim_operator,
  imei: machine.imei,
  publicIp: machine.public_ip,
  networkType: machine.network_type as Machine['networkType'],
  telemetryBoardType: machine.telemetry_board_type,
  telemetryBoardVersion: machine.telemetry_board_version,
  warrantyUntil: machine.warranty_until as string | null,
  lastPingAt: toWireOrNull(machine.last_ping_at),
  lastBootAt: toWireOrNull(machine.last_boot_at),
  usualSalesToday,
  clockDriftSeconds: machine.clock_drift_seconds,
})
