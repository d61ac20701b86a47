import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import { LicenceGrant } from '#contract/licences/connector.ts'

/** A computer with the connector application, beside one machine. */
export const ConnectorPlan = z.object({
  /** The address of the portal. */
  origin: z.url(),
  licenceKey: z.string(),
  machine: z.object({ serial: z.string(), boardSerial: z.string(), connectorVersion: z.string() }),
  /** By how much the computer's clock is ahead. */
  clockAheadMs: z.int().default(0),
  /** The time between two heartbeats; by default the server's. */
  beatMs: z.int().positive().optional(),
})
export type ConnectorPlan = z.input<typeof ConnectorPlan>

const audience = 'gettone-connector'
const retryMs = 10_000
const longestWaitMs = 6 * 3_600_000

export interface Connector {
  /** Whether the licence allows it to work now, also offline. */
  isLicensed(): Promise<boolean>
  /** Why the server refused its last call; undefined if it did not. */
  refusal(): ErrorCode | undefined
  stop(): void
}

/**
 * Activates its licence, renews it, and stops when the server refuses it or the licence ends. It checks the licence by the public key that it
 * fetched at its installation, and corrects its own clock by the drift that the server has reported.
 */
export function startConnector(plan: ConnectorPlan): Connector {
  const { origin, licenceKey, machine, clockAheadMs, beatMs } = ConnectorPlan.parse(plan)
  const ownTime = () => new Date(Date.now() + clockAheadMs)
  let keys: JSONWebKeySet | undefined
  let licence: string | undefined
  let driftMs = 0
  let isActivated = false
  let refusal: ErrorCode | undefined
  let timer: NodeJS.Timeout | undefined
  const stopped = new AbortController()

  const ask = async (path: string, body?: object) => {
    const response = await fetch(`${origin}/api/v1/license/${path}`, {
      method: body ? 'POST' : 'GET',
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(20_000)]),
    })
    return { status: response.status, answer: (await response.json()) as unknown }
  }

  const take = (answer: unknown) => {
    const grant = LicenceGrant.parse(answer)
    licence = grant.licence
    driftMs = grant.clockDriftSeconds * 1000
    isActivated = true
    refusal = undefined
    return Date.parse(`${grant.nextBeatAt}Z`) - Date.parse(`${grant.serverTime}Z`)
  }

  /** One call; the result is the time until the next. */
  const beat = async (): Promise<number> => {
    keys ??= (await ask('keys')).answer as JSONWebKeySet
    const body = { licenceKey, machine, connectorTime: ownTime().toISOString() }
    const { status, answer } = await ask(isActivated ? 'heartbeat' : 'activate', body)
    if (status === 200) return take(answer)
    // Overload and faults of the server say nothing about the licence.
    if (status === 429 || status >= 500) return retryMs
    refusal = (answer as { code?: ErrorCode }).code
    licence = undefined
    // After a move or a new permission it activates again.
    isActivated = false
    return longestWaitMs
  }

  const run = () => {
    beat()
      // Without a connection the licence in hand is valid until its end.
      .catch(() => retryMs)
      .then((wait) => {
        if (!stopped.signal.aborted) timer = setTimeout(run, Math.min(beatMs ?? wait, longestWaitMs)).unref()
      })
  }
  run()

  return {
    async isLicensed() {
      if (!licence || !keys || stopped.signal.aborted) return false
      const currentDate = new Date(ownTime().getTime() - driftMs)
      return jwtVerify<{ licence: Record<string, unknown> }>(licence, createLocalJWKSet(keys), {
        audience,
        algorithms: ['EdDSA'],
        currentDate,
        clockTolerance: 60,
      }).then(
        ({ payload }) =>
          payload.licence.machineSerial === machine.serial && payload.licence.boardSerial === machine.boardSerial,
        () => false,
      )
    },
    refusal: () => refusal,
    stop() {
      stopped.abort()
      clearTimeout(timer)
      licence = undefined
    },
  }
}
