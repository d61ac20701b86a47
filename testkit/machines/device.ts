import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Ack, Authorised, BlockChanges, Go, LinkCode, UpKind } from '#contract/device-protocol.ts'
import type { TestMachine } from '../fixtures.ts'
import type { TestGateway } from './gateway.ts'

/** The clock of a machine in Rome, in milliseconds. */
export const romeClock = (at = new Date()) =>
  `${at.toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).replace(' ', 'T')}.${at.toISOString().slice(20, 23)}`

/** A machine that sends over HTTP, each message in its own batch. */
export function aDevice(gateway: Pick<TestGateway, 'httpUrl'>, machine: TestMachine) {
  let seq = 0
  const headers = {
    authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`,
    'content-type': 'application/json',
  }
  const url = `${gateway.httpUrl}/device/v1/${machine.serial}`
  async function post(kind: UpKind, body: object) {
    const answer = await fetch(`${url}/${kind}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const reply = await answer.json()
    expect(answer.status, JSON.stringify(reply)).toBe(200)
    return reply as { ack: Ack; go?: Go; authorised?: Authorised; blocked?: BlockChanges; linked?: LinkCode }
  }
  const head = () => ({ id: randomUUID(), at: romeClock() })
  /** Items with their numbers, by default at the present time. */
  const numbered = (items: readonly object[]) =>
    items.map((item) => ({ seq: ++seq, at: romeClock(), ...item }) as { seq: number; at: string })
  const sendItems = (kind: UpKind, items: readonly object[]) => post(kind, { ...head(), epoch: 1, items })
  return {
    numbered,
    sendItems,
    say: (kind: UpKind, ...items: object[]) => sendItems(kind, numbered(items)),
    claim: async (commandId: string) => (await post('claim', { ...head(), commandId })).go?.go ?? false,
    /** Requests credit for a key; by default 1.00 for a vend. */
    authorise: async (mediaSerial: string, more: object = {}): Promise<Authorised> => {
      const body = { ...head(), mediaSerial, mediaType: 2, amount: 100, purpose: 'vend', ...more }
      const { authorised } = await post('authorise', body)
      if (!authorised) throw new Error('The request was not answered')
      return authorised
    },
    /** Requests a code to link the key that is inserted. */
    linkCode: async (mediaSerial: string, mediaType = 2) =>
      (await post('linkCode', { ...head(), mediaSerial, mediaType })).linked,
    blocksAfter: async (version: number) => (await post('blocks', { ...head(), version })).blocked,
    /** Pending commands of the machine. */
    commands: async () =>
      (
        (await (await fetch(`${url}/commands`, { headers })).json()) as {
          commands: { id: string; parameters: unknown }[]
        }
      ).commands,
    audit: async (file: string) => {
      const answer = await fetch(`${url}/audit`, { method: 'POST', headers, body: file })
      expect(answer.status, await answer.text()).toBe(200)
    },
  }
}
