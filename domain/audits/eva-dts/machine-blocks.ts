import type { AuditContent } from '#contract/audits/audit-content.ts'
import { type Block, type Blocks, each, noted, once } from './draft.ts'
import { type Elements, resetThenInitialisation } from './elements.ts'
import { describeEvent } from './event-codes.ts'

/*
 * Who the machine is, what happened to it, and how often it was read.
 */

type Kind = AuditContent['peripherals'][number]['kind']

const board = (read: Elements) => ({ serial: read.text(1), model: read.text(2), software: read.text(3) })

const peripheral = (kind: Kind): Block =>
  once((read, { peripherals }) => {
    const { kind: _, ...identity } = peripherals.get(kind) ?? { kind, serial: null, model: null, software: null }
    const now = noted(peripherals.has(kind) ? identity : null, board(read))
    if (now) peripherals.set(kind, { kind, ...now })
  })

function eventOf(read: Elements, user: number) {
  const code = read.text(1)
  if (code === null) return null
  const { source, name, detail } = describeEvent(code)
  return { line: read.line, code, source, name, detail, user: read.text(user) }
}

export const machineBlocks: Blocks = {
  ID1: once((read, { identity }) => {
    identity.serial = read.text(1) ?? identity.serial
    identity.model = read.text(2) ?? identity.model
    identity.build = read.text(3) ?? identity.build
    identity.location = read.text(4) ?? identity.location
    identity.assetNumber = read.text(6) ?? identity.assetNumber
  }),
  /** Elements that are read first, since they define the meaning of amounts. */
  ID4: once(() => {}),
  ID5: once((read, { identity }) => {
    identity.clock = read.moment(1, 2) ?? identity.clock
    identity.dstRule = read.text(4) ?? identity.dstRule
  }),
  CB1: once((read, { identity }) => {
    identity.controlBoard = noted(identity.controlBoard, board(read))
  }),
  CA1: peripheral('coin'),
  BA1: peripheral('bill'),
  DA1: peripheral('cashless1'),
  DB1: peripheral('cashless2'),
  TA1: peripheral('token'),

  EA1: each((read, { events }) => {
    const event = eventOf(read, 6)
    if (!event) return false
    events.push({ ...event, at: read.moment(2, 3), minutes: read.count(4) })
    return true
  }),
  EA2: each((read, { eventCounters }) => {
    const event = eventOf(read, 4)
    if (!event) return false
    eventCounters.push({ ...event, times: resetThenInitialisation(read, read.count, 2), isActive: read.flag(5) })
    return true
  }),
  EA3: once((read, draft) => {
    draft.reads = noted(draft.reads, {
      readsWithReset: read.count(1),
      thisAt: read.moment(2, 3),
      thisBy: read.text(4),
      lastAt: read.moment(5, 6),
      lastBy: read.text(7),
      reads: read.count(9),
      resets: read.count(10),
    })
  }),
  EA4: once((read, draft) => {
    draft.countersBeganAt = read.moment(1, 2) ?? draft.countersBeganAt
  }),
  EA7: once((read, draft) => {
    draft.powerOutages = noted(draft.powerOutages, resetThenInitialisation(read, read.count, 1))
  }),
  MA5: each((read, { makerRows }) => {
    makerRows.push({ line: read.line, elements: read.all })
  }),
}
