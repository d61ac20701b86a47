import { isDeepStrictEqual } from 'node:util'
import { Gauge } from 'prom-client'
import { ProductError } from '#contract/errors.ts'
import { limits } from '#contract/frame/limits.ts'
import {
  type LiveHint,
  type LiveMessage,
  type LiveTopic,
  liveBeatMillis,
  topicFeatures,
  topicsOfMerchant,
} from '#contract/frame/live.ts'
import type { Feature } from '#contract/vocabulary/feature.ts'
import type { Doors, Scope } from '#database/frame/tenant.ts'
import { foreignMachines } from '#database/merchants/group.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { enabledIn } from '#server/http/features.ts'
import type { UserCall } from '#server/http/handler.ts'
import { type Principal, resolvePrincipal } from '#server/http/scope.ts'

/** A reader with this many unread bytes is disconnected; it reconnects and reloads. */
const longestQueue = 256 * 1024
const opened = new Map<string, number>()

const streams = new Gauge({ name: 'gettone_live_streams', help: 'Live streams that are open.' })

/**
 * Server-sent hints, limited to the user's scope. Access is checked with every beat and each announced change. A user whose
 * access ended or changed loses the stream; a change is announced first, so that the portal reloads. The stream also ends
 * with its token, and when hints may have been missed: a reader that reconnects reloads.
 */
export function streamHints({ reply, request, live, doors, config, user, caller }: UserCall): void {
  const ownStreams = opened.get(user.id) ?? 0
  if (ownStreams >= limits.liveStream.most) throw new ProductError('TooManyRequests')
  opened.set(user.id, ownStreams + 1)
  streams.inc()
  reply.hijack()
  const out = reply.raw
  out.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    // An ended stream must not delay the shutdown of the server.
    connection: 'close',
  })
  out.write('retry: 2000\n\n')
  const rightsOf = (person: Principal) => ({
    role: person.role,
    mayLicense: userMay(person, 'license.write'),
    scope: person.scope,
  })
  const rights = rightsOf(user)

  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    const left = (opened.get(user.id) ?? 1) - 1
    if (left > 0) opened.set(user.id, left)
    else opened.delete(user.id)
    streams.dec()
    clearInterval(beat)
    clearTimeout(expiry)
    leave()
    unwatch()
    out.end()
  }
  const send = (text: string) => {
    if (isOver) return
    if (out.writableLength > longestQueue) end()
    else out.write(text)
  }
  const leave = live.subscribe((hint) => {
    narrowHint(doors, user.scope, hint).then(
      (visibleHint) => visibleHint && send(`data: ${JSON.stringify(visibleHint)}\n\n`),
      (error: unknown) => request.log.warn({ err: error }, 'A change hint could not be filtered'),
    )
  })
  const lookAgain = () =>
    resolvePrincipal(doors, caller, config).then((again) => {
      if (isDeepStrictEqual(rightsOf(again), rights)) return send(': still here\n\n')
      send(`data: ${JSON.stringify({ person: 'changed' } satisfies LiveMessage)}\n\n`)
      end()
    }, end)
  const beat = setInterval(lookAgain, liveBeatMillis)
  const unwatch = live.watchUser(user.id, (why) => (why === 'missed' ? end() : void lookAgain()))
  const expiry = setTimeout(end, Math.min(caller.expiresAt.getTime() - Date.now(), 2 ** 31 - 1))
  request.raw.on('close', end)
}

/** The part of a hint within a scope and without features that the merchant lacks; undefined if nothing remains. */
export async function narrowHint(doors: Doors, scope: Scope, whole: LiveHint): Promise<LiveHint | undefined> {
  const pairs = scope.filter((pair) => pair.merchantId === whole.merchantId)
  if (pairs.length === 0) return undefined
  const hint = await ofFeatures(doors, pairs, whole)
  if (hint.topics.length === 0) return undefined
  if (pairs.some((pair) => pair.groups === 'all') || hint.posIds.length === 0) return hint
  const foreign = new Set(await doors.withTenant(pairs, (db) => foreignMachines(db, hint.posIds), 'read'))
  const posIds = hint.posIds.filter((id) => !foreign.has(id))
  if (posIds.length > 0) return { ...hint, posIds }
  // Topics of the whole merchant are sent even when the hint also covers machines out of reach.
  const topics = hint.topics.filter((topic) => (topicsOfMerchant as readonly LiveTopic[]).includes(topic))
  return topics.length === 0 ? undefined : { ...hint, topics, posIds }
}

async function ofFeatures(doors: Doors, scope: Scope, hint: LiveHint): Promise<LiveHint> {
  const features = new Set(hint.topics.flatMap((topic) => topicFeatures[topic] ?? []))
  if (features.size === 0) return hint
  const enabled = await doors.withTenant(scope, (db) => enabledIn(db, features), 'read')
  const isOn = (feature: Feature) => enabled.get(feature)?.has(hint.merchantId)
  return { ...hint, topics: hint.topics.filter((topic) => topicFeatures[topic]?.some(isOn) ?? true) }
}
