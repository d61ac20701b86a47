import { useSyncExternalStore } from 'react'
import { useSession } from '#portal/app/session/useSession.ts'
import { outbox } from './outbox.ts'

/** The steps of the user that are kept on this phone, oldest first. */
export function useOutbox() {
  const { me } = useSession()
  const all = useSyncExternalStore(outbox.subscribe, outbox.known)
  return all.filter(({ userId }) => userId === me?.id)
}
