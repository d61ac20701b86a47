import { dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { clear, createStore, del, get, set, type UseStore } from 'idb-keyval'

/** How many answers are kept on the device, the newest first. */
const most = 60
const pauseMs = 400

const kinds = ['public', 'own'] as const
type Kind = (typeof kinds)[number]

let store: UseStore | undefined
/** Opened when first used: some browsers refuse storage, and then nothing is kept. */
const opened = () => {
  store ??= createStore('key-portal', 'answers')
  return store
}

/** Identifies the forms of answers. Answers that an older app has kept in other forms are not shown. */
const forms: string = import.meta.env.ANSWER_FORMS ?? ''

/** Erases all that is kept, also of other merchants. */
export const forgetAnswers = () => clear(opened())

const nameOf = (kind: Kind, slug: string) => `${kind} ${slug}`

/**
 * Keeps answers on the device, so that the app shows them without a network: what is public, and what is the customer's own. The
 * customer's own is erased when the session ends.
 */
export function keepAnswers(client: QueryClient, slug: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let session = 0
  let writing: Promise<unknown> = Promise.resolve()

  const write = async (kind: Kind, during: number) => {
    const state = dehydrate(client, {
      shouldDehydrateQuery: ({ queryKey, state }) => queryKey[0] === kind && state.status === 'success',
      shouldDehydrateMutation: () => false,
    })
    state.queries.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    state.queries.length = Math.min(state.queries.length, most)
    // The session ended while this was waiting.
    if (kind === 'own' && during !== session) return
    await set(nameOf(kind, slug), { forms, state }, opened()).catch(() => undefined)
  }
  const writeAll = () => {
    const during = session
    for (const kind of kinds) writing = writing.then(() => write(kind, during))
  }
  const writeLater = () => {
    clearTimeout(timer)
    timer = setTimeout(writeAll, pauseMs)
  }
  client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') writeLater()
  })
  // It may be closed next.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return
    clearTimeout(timer)
    writeAll()
  })

  return {
    /** Reads what was kept, before the first screen. */
    restore: async () => {
      await Promise.all(
        kinds.map(async (kind) => {
          const stored = await Promise.resolve()
            .then(() => get(nameOf(kind, slug), opened()))
            .catch(() => undefined)
          if (stored?.forms === forms) hydrate(client, stored.state)
        }),
      )
      // What was kept is shown at once, and fetched again, however new it is.
      await client.invalidateQueries({ refetchType: 'none' })
    },
    /** Erases what is the customer's own, also what is still under way. */
    forgetOwn: async () => {
      session += 1
      clearTimeout(timer)
      await client.cancelQueries({ queryKey: ['own'] })
      client.removeQueries({ queryKey: ['own'] })
      writing = writing.then(() =>
        Promise.resolve()
          .then(() => del(nameOf('own', slug), opened()))
          .catch(() => undefined),
      )
      await writing
    },
  }
}
