import { clear } from 'idb-keyval'
import { plans } from '../visit/planStore.ts'
import { answers } from './answerStore.ts'
import { pagePrefix, workerPath } from './places.ts'

/** Erases what is kept for work without a network, except steps that are not sent: those are only on this phone. */
export async function eraseKept(): Promise<void> {
  await Promise.all([clear(answers), clear(plans), erasePages(), endWorker()])
}

async function erasePages(): Promise<void> {
  // Pages without TLS have no cache.
  const names = (await globalThis.caches?.keys()) ?? []
  await Promise.all(names.filter((name) => name.startsWith(pagePrefix)).map((name) => caches.delete(name)))
}

async function endWorker(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  if (registration?.active?.scriptURL.endsWith(workerPath)) await registration.unregister()
}
