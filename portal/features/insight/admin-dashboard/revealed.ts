import { useSyncExternalStore } from 'react'
import { onLogout } from '#portal/app/session/onLogout.ts'
import { useSession } from '#portal/app/session/useSession.ts'

const name = 'gettone.figures'
const listeners = new Set<() => void>()
/** The user whose figures are revealed, if the browser refuses storage. */
let memory: string | null = null

function shownTo(): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return memory
  }
}

function show(userId: string | null) {
  memory = userId
  try {
    if (userId === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, userId)
  } catch {
    // Without storage it lasts as long as the page.
  }
  for (const listener of listeners) listener()
}
onLogout('figures', () => show(null))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Whether the provider's figures are revealed, and the switch. They are hidden at first, so that a bystander cannot
 * read the screen. Revealed figures stay visible until the session ends in this tab, and are hidden for the next user.
 */
export function useRevealed(): [boolean, (isRevealed: boolean) => void] {
  const { me } = useSession()
  const isRevealed = useSyncExternalStore(subscribe, shownTo) === me?.id && me !== undefined
  return [isRevealed, (isOn) => show(isOn && me ? me.id : null)]
}
