import { useSyncExternalStore } from 'react'
import { useSession } from '#portal/app/session/useSession.ts'
import { visitStore } from './visitStore.ts'

/** The visits of the user that are kept on this phone, oldest first. */
export function useKeptVisits() {
  const { me } = useSession()
  const all = useSyncExternalStore(visitStore.subscribe, visitStore.known)
  return all.filter(({ userId }) => userId === me?.id)
}
