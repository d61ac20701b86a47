import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { early } from '../../app/session/early.ts'
import { useSession } from '../../app/session/useSession.ts'
import { Splash } from '../../ui/part/Splash.tsx'

let completedAddress: string | undefined

/** The identity provider's redirect target: continues once the session has begun. */
export default function SignedInScreen() {
  const { complete } = useSession()
  const { history } = useRouter()
  useEffect(() => {
    const { href } = window.location
    // A code works once; React may run this twice.
    if (completedAddress === href) return
    completedAddress = href
    const { next = complete(href) } = early
    delete early.next
    // The session may have begun before this page; the router finishes with the page first.
    void next.then((to) => setTimeout(() => history.replace(to)))
  }, [complete, history])
  return <Splash />
}
